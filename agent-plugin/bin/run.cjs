// Runs a program of this plugin: `run.cjs hook EVENT [HARNESS]` or `run.cjs mcp`. Written so that a Node of any age can
// read it, and say that it is too old for the programs themselves.
var program = process.argv.splice(2, 1)[0];
if (parseInt(process.versions.node, 10) < 20) process.exit(1);
if (program === 'hook' || program === 'mcp') require('../dist/' + program + '.js');

import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { commandIds, viewIds } from '../../src/vscode/ids';

describe('the extension, in its host', () => {
  const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);

  it('activates in a workspace that has learnings', async () => {
    assert.ok(extension, 'VS Code does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command it declares, and declares every command it registers', async () => {
    const declared = manifest.contributes.commands.map(({ command }) => command).toSorted();
    assert.deepEqual(Object.values(commandIds).toSorted(), declared);
    const known = await vscode.commands.getCommands(true);
    for (const command of declared) assert.ok(known.includes(command), command);
  });

  it('declares the views that the code fills', () => {
    const declared = manifest.contributes.views.learnings.map(({ id }) => id);
    assert.deepEqual(declared, Object.values(viewIds));
  });

  it('offers find_learnings, which answers from the workspace on disk', async () => {
    const tool = vscode.lm.tools.find(({ name }) => name === 'find_learnings');
    assert.ok(tool, 'the tool is not registered');
    const result = await vscode.lm.invokeTool(tool.name, {
      input: { paths: ['src/http/server.ts'] },
      toolInvocationToken: undefined,
    });
    const [part] = result.content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    const { results } = JSON.parse(part.value) as { results: { id: string; matched_by: string[] }[] };
    assert.deepEqual(
      results.map(({ id }) => id),
      ['L-0005', 'L-0008', 'L-0002'],
    );
    assert.deepEqual(results[0]?.matched_by, ['path:src/http/server.ts ~ src/http/server.ts']);
  });

  it('tells the model what to pass when it passed nothing', async () => {
    await assert.rejects(
      async () => vscode.lm.invokeTool('find_learnings', { input: {}, toolInvocationToken: undefined }),
      /Pass at least one path, tag or symbol/,
    );
  });
});

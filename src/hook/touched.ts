import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

import { asRecord, type HookEvent } from './event';

/** What a tool call is about to do, and to which files, as the call names them. */
export interface Touched {
  readonly occasion: 'read' | 'write';
  readonly paths: readonly string[];
}

const MAX_PATHS = 20;

/** Tools that look for files or leave the repository: what they name is not what they touch. */
const passive =
  /^(?:grep|glob|ls|list_?dir(?:ectory)?|file_search|grep_search|semantic_search|search\w*|web\w*|fetch\w*|todo\w*|task|agent|think\w*|get_errors)$/i;
/** Our own, whatever server or plugin they come through: what they answer is a delivery already. */
const ours = /(?:^|_)(?:find|show|add|update|supersede|upvote|archive)_learnings?$/;
const shells =
  /^(?:bash|shell|powershell|run_?in_?terminal|run_?shell_?command|execute_?command|local_shell|exec\w*)$/i;
const writing = /edit|write|create|replace|insert|patch|delete|remove|rename|move|save/i;

const single = [
  'file_path',
  'filePath',
  'notebook_path',
  'notebookPath',
  'absolute_path',
  'target_file',
  'path',
  'uri',
  'fileName',
  'filename',
  'old_path',
  'oldPath',
  'new_path',
  'newPath',
  'source_path',
  'destination_path',
];
const several = [
  'replacements',
  'edits',
  'files',
  'paths',
  'filePaths',
  'file_paths',
  'operations',
  'changes',
];

/** The files that a tool call names; none for tools that touch no file. */
export function touchedBy({ tool, input, cwd }: Pick<HookEvent, 'tool' | 'input' | 'cwd'>): Touched {
  // An MCP tool is known by its own name, whatever server it is of.
  const name = tool.replace(/^mcp_+.*__/, '');
  if (shells.test(name)) return fromShell(commandOf(input), cwd);
  const patch = patchOf(input);
  if (patch !== undefined) return { occasion: 'write', paths: few(pathsInPatch(patch)) };
  if (passive.test(name) || ours.test(name)) return { occasion: 'read', paths: [] };
  return { occasion: writing.test(name) ? 'write' : 'read', paths: few(namedPaths(input)) };
}

const few = (paths: readonly string[]): string[] =>
  [...new Set(paths.filter((path) => path !== '' && path.length < 4096))].slice(0, MAX_PATHS);

function namedPaths(input: Record<string, unknown>, depth = 0): string[] {
  const own = single.flatMap((key) => {
    const value = input[key];
    if (typeof value === 'string') return [value];
    const { path, fsPath } = asRecord(value);
    return typeof fsPath === 'string' ? [fsPath] : typeof path === 'string' ? [path] : [];
  });
  if (depth === 2) return own;
  const inner = several.flatMap((key) => {
    const list = input[key];
    if (!Array.isArray(list)) return [];
    return list
      .slice(0, 100)
      .flatMap((one: unknown) => (typeof one === 'string' ? [one] : namedPaths(asRecord(one), depth + 1)));
  });
  return [...own, ...inner];
}

/** The text of a patch, where a call carries one. */
function patchOf(input: Record<string, unknown>): string | undefined {
  const texts = [input['input'], input['patch'], input['diff'], input['command']].flat();
  return texts.find(
    (one): one is string =>
      typeof one === 'string' && /^\*\*\* (?:Begin Patch|Add|Update|Delete)|^\+\+\+ /m.test(one),
  );
}

function pathsInPatch(patch: string): string[] {
  const ours = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  const unified = patch.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?([^\t\r\n]+)/gm);
  const found = [...ours, ...unified].map(([, path = '']) => path.trim());
  return found.filter((path) => path !== '/dev/null');
}

function commandOf(input: Record<string, unknown>): string {
  const command = input['command'] ?? input['cmd'] ?? input['script'] ?? input['input'];
  return [command]
    .flat()
    .filter((one) => typeof one === 'string')
    .join(' ');
}

/** Longer commands are programs, and read like ones. */
const MAX_COMMAND = 4000;
const changesFiles = /^(?:tee|touch|rm|mv|cp|truncate|install|patch|ln)$/;

/** The obvious file arguments of a command: files that are there, and those that it writes into. */
function fromShell(command: string, cwd: string): Touched {
  const patch = patchOf({ command });
  if (patch !== undefined) return { occasion: 'write', paths: few(pathsInPatch(patch)) };
  const paths: string[] = [];
  let occasion: Touched['occasion'] = 'read';
  let folder = cwd;
  for (const part of command.slice(0, MAX_COMMAND).split(/&&|\|\||[;|\n]/)) {
    const words = wordsOf(part);
    const [program = ''] = words;
    const makes =
      changesFiles.test(program) || (program === 'sed' && words.some((word) => /^-\w*i/.test(word)));
    if (makes) occasion = 'write';
    if (program === 'cd' && words[1] !== undefined) folder = resolve(folder, words[1]);
    for (const [index, word] of words.entries()) {
      const redirected = words[index - 1] === '>' || words[index - 1] === '>>';
      if (redirected) occasion = 'write';
      if (index === 0 || word.startsWith('-') || !looksLikePath(word)) continue;
      const path = isAbsolute(word) ? word : resolve(folder, word);
      if (redirected || makes || existsSync(path)) paths.push(path);
    }
  }
  return { occasion, paths: few(paths) };
}

const looksLikePath = (word: string): boolean =>
  /^[^*?$`{}<>|=]+$/.test(word) && /[/\\]|\.\w+$/.test(word) && !/^\w+:\/\//.test(word);

/** Words as a shell splits them; quotes are taken off, arrows stand alone. */
function wordsOf(command: string): string[] {
  const found = command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\d?>>?)|([^\s"'>]+)/g);
  return [...found].map(
    ([whole, double, plain, arrow]) => double ?? plain ?? (arrow ? arrow.replace(/^\d/, '') : whole),
  );
}

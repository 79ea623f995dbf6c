import type { Target } from '../match/scope';

/** What somebody who writes a prompt wants. Only the first calls for learnings; in doubt it is not that. */
export type PromptKind = 'code-gen' | 'exploration' | 'question' | 'other';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** What asks for code to be written or changed, where it begins a sentence. */
const changing = words(`
  add adapt adjust allow apply build bump change clean complete convert correct create debounce delete deprecate
  drop edit enable disable ensure expose extend extract finish fix generate handle harden implement improve
  include inline insert integrate introduce make merge migrate modify move optimise optimize parallelise
  parallelize patch polish port prevent refactor reduce remove rename reorder replace resolve rewrite revert
  scaffold set simplify speed split stub support swap tidy tweak undo update upgrade use validate wire wrap write
`);
const looking = words(`
  analyse analyze audit browse check compare describe examine explain explore find inspect
  investigate list locate look map outline read research review search show study summarise summarize tell trace
  understand walk
`);
const asking = words(
  'what why how where when who whom whose which is are was were does did has have had should am',
);

/** What people say before they come to the point. */
const manners =
  /^(?:(?:ok(?:ay)?|hey|hi|hello|now|then|next|so|also|and|but|first|second|finally|please|just|kindly|great|thanks|thank you)\b[\s,.!:-]*)+/;
const wishes =
  /^(?:(?:can|could|would|will) (?:you|we)(?: please)?(?: help me(?: to)?)?|i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to|we (?:need|have|ought) to|we should|you should|let(?:'s| us)|help me(?: to)?|go ahead and|try to|your (?:task|job) is to|the task is to)\s+(?:please\s+|also\s+|now\s+|just\s+)*/;
/** Nothing is to be written, whatever else is said. */
const handsOff =
  /\b(?:(?:do not|don't|dont|without|no need to|not)\s+(?:make|making|change|changing|edit|editing|modify|modifying|write|writing|touch|touching)\b|no (?:code )?changes\b|read[- ]only\b)/;

/** Says what a prompt asks for, by how its sentences begin. */
export function classifyPrompt(prompt: string): PromptKind {
  const plain = withoutCode(prompt).toLowerCase().replaceAll('’', "'");
  const kinds = sentencesOf(plain).map(kindOfSentence);
  if (kinds.includes('code-gen') && !handsOff.test(plain)) return 'code-gen';
  return kinds.find((kind) => kind !== 'other' && kind !== 'code-gen') ?? 'other';
}

function kindOfSentence(sentence: string): PromptKind {
  const bare = sentence.replace(/^[\s\-*#>\d.)(:]+/, '').replace(manners, '');
  const wish = bare.replace(wishes, '').replace(manners, '');
  const isWish = wish !== bare;
  const [verb = '', second = ''] = wish.split(/[^\p{L}'-]+/u).filter(Boolean);
  if (changing.has(verb))
    return second === 'sure' && !/\b(?:add|fix|change|write|update)/.test(wish) ? 'other' : 'code-gen';
  if (looking.has(verb)) return 'exploration';
  // "Do you know …" asks; "do the migration" does not say what it means.
  if (!isWish && (asking.has(verb) || (verb === 'do' && /^(?:you|we|i|they|these|the)$/.test(second))))
    return 'question';
  return sentence.trimEnd().endsWith('?') ? 'question' : 'other';
}

/** What is quoted, logged or pasted says nothing about what its sender wants. */
function withoutCode(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '\n')
    .replaceAll(/^\s*(?:>|at |\||\d+:|npm (?:ERR!|WARN)|(?:error|warning|fatal)\b.*:).*$/gim, '')
    .replaceAll(/<(\w[\w-]*)>[\s\S]*?<\/\1>/g, '\n');
}

/** Of a longer text the beginning says what is wanted. */
const MAX_READ = 8000;

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+|;\s+/)
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, 40);

const MAX_NAMED = 20;

/** What a prompt names: files and folders, symbols by their spelling, and those of the tags that it says. */
export function targetOf(prompt: string, tags: Iterable<string>): Target {
  const text = prompt.slice(0, MAX_READ);
  // The folders of a path are not topics.
  const unnamed = text.replaceAll(pathLike, ' ').toLowerCase();
  const spoken = new Set(unnamed.match(/[\p{L}\p{N}](?:[\p{L}\p{N}+#._-]*[\p{L}\p{N}+#])?/gu));
  return {
    paths: pathsIn(text),
    symbols: first(text.match(/\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z0-9]+_\w+|\w+(?=\(\)))/g)),
    // One of two letters is said too often without being meant.
    tags: [...tags].filter((tag) => tag.length > 2 && saysTag(spoken, tag)).slice(0, MAX_NAMED),
  };
}

const saysTag = (spoken: ReadonlySet<string>, tag: string): boolean => {
  const plain = tag.toLowerCase();
  return spoken.has(plain) || plain.split(/[\s-]+/).every((word) => spoken.has(word));
};

const pathLike =
  /(?:[A-Za-z]:)?[\w.@~[\]()+-]*(?:[/\\][\w.@[\]()+-]+)+[/\\]?|[\w.@-]+\/(?![\w/])|[\w.-]*\w\.[A-Za-z]\w{0,5}\b/g;

/** What looks like a file or a folder. A folder also stands for whatever is in it. */
function pathsIn(text: string): string[] {
  const found = text.match(pathLike);
  const plain = first(found?.map((path) => path.replace(/^[(['"]+|[)\].,:;'"]+$/g, '')));
  return plain.flatMap((path) =>
    /\.\w+$/.test(path) ? [path] : [path, `${path.replace(/[/\\]$/, '')}/${ANY_FILE}`],
  );
}

const first = (found: readonly string[] | null | undefined): string[] =>
  [...new Set(found ?? [])].filter(Boolean).slice(0, MAX_NAMED);

/** A name that no file has: a pattern that matches it is about everything in its folder. */
export const ANY_FILE = '\u0001any';

/** What somebody wants kept: their words, or `''` if they mean something that was said before. */
export function rememberIn(prompt: string): string | undefined {
  const text = prompt.slice(0, MAX_READ);
  const said =
    /^[ \t]*(?:please[ \t]+)?remember(?:[ \t]+(?:this|that|for (?:later|next time|the future)))?[ \t]*[:,—–-][ \t]*(\S[\s\S]*)$/im.exec(
      text,
    );
  const that = said ?? /^[ \t]*(?:please[ \t]+)?remember[ \t]+that[ \t]+(\S[\s\S]*)$/im.exec(text);
  // A blank line ends it: what follows is another matter.
  if (that?.[1]) return that[1].split(/\n\s*\n/)[0]?.trim();
  return /^[ \t]*(?:please[ \t]+)?remember this[ \t]*[.!]?[ \t]*$/im.test(text) ? '' : undefined;
}

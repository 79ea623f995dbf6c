/** More lines than this on both sides are shown as replaced as a whole. */
const MAX_CELLS = 4_000_000;
const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** How a text would change, as `diff -u` shows it, with the places in which lines differ. */
export function lineDiff(before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  const shown: string[] = [];
  let [old, fresh] = [1, 1];
  for (let index = 0; index < lines.length;) {
    const next = lines.findIndex(({ mark }, at) => at >= index && mark !== ' ');
    if (next < 0) break;
    const start = Math.max(index, next - CONTEXT);
    old += start - index;
    fresh += start - index;
    let end = next;
    for (let at = next; at < lines.length && at <= end + 2 * CONTEXT; at++)
      if (lines[at]?.mark !== ' ') end = at;
    const hunk = lines.slice(start, end + 1 + CONTEXT);
    const [olds, news] = ['+', '-'].map((mark) => hunk.filter((line) => line.mark !== mark).length);
    shown.push(
      `@@ -${range(old, olds)} +${range(fresh, news)} @@`,
      ...hunk.map(({ mark, text }) => mark + text),
    );
    old += olds ?? 0;
    fresh += news ?? 0;
    index = start + hunk.length;
  }
  return shown.join('\n');
}

/** No lines are said to be after the one before them. */
const range = (line: number, count = 0): string => `${count === 0 ? line - 1 : line},${count}`;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

/** By the longest run of lines that both have in common, once what is the same at both ends is set aside. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  const same = (text: string): Line => ({ mark: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - tail), after.slice(start, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const [rows, columns] = [before.length + 1, after.length + 1];
  const common = new Uint32Array(rows * columns <= MAX_CELLS ? rows * columns : 0);
  const at = (row: number, column: number): number => common[row * columns + column] ?? 0;
  if (common.length > 0)
    for (let row = rows - 2; row >= 0; row--)
      for (let column = columns - 2; column >= 0; column--)
        common[row * columns + column] =
          before[row] === after[column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (common.length > 0 && old !== undefined && old === fresh) {
      lines.push({ mark: ' ', text: old });
      row++;
      column++;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old });
      row++;
    } else {
      lines.push({ mark: '+', text: fresh ?? '' });
      column++;
    }
  }
  return lines;
}

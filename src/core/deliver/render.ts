import { oneLine } from '../yaml/hostileText';

/** A learning as it may be given. */
export interface Offer {
  /** `L-0001`; `store/L-0001` of another store than the repository's own. */
  readonly name: string;
  readonly summary: string;
  readonly rationale: string | undefined;
  readonly priority: number;
  /** Such as `path:src/a.ts ~ src/**`. */
  readonly matchedBy: readonly string[];
}

export interface Limits {
  readonly bytes: number;
  readonly rowChars: number;
  /** Whether the reason is given too, where it fits. */
  readonly withRationale: boolean;
}

interface Block {
  /** What it is about, such as `src/a.ts`; undefined: the whole repository. */
  readonly about: string | undefined;
  readonly rows: readonly string[];
  /** How many more apply. */
  readonly omitted: number;
}

const TAG = 'project-learnings';

/** A learning as one line. Whatever is in it, it can neither leave its line nor end the block. */
export function renderRow({ name, summary, rationale }: Offer, limits: Limits): string {
  const start = `- [${name}] `;
  const room = limits.rowChars - start.length;
  const plain = defuse(oneLine(summary, room));
  const why = limits.withRationale && rationale ? ` (why: ${defuse(oneLine(rationale))})` : '';
  return start + (plain.length + why.length <= room ? plain + why : plain);
}

/** The rows that fit, best first, beside those that are given already. */
export function fitRows(offers: readonly Offer[], limits: Limits, taken: Block): readonly Offer[] {
  const rows = [...taken.rows];
  const fitting: Offer[] = [];
  for (const offer of offers) {
    const row = renderRow(offer, limits);
    if (bytesOf(renderBlock({ ...taken, rows: [...rows, row], omitted: 999 })) > limits.bytes) continue;
    rows.push(row);
    fitting.push(offer);
  }
  return fitting;
}

/** What an agent reads. Facts about the repository, not orders: models distrust text that plays the system. */
export function renderBlock({ about, rows, omitted }: Block): string {
  const subject = about === undefined ? 'the whole repository' : defuse(oneLine(about, 300));
  return [
    `<${TAG}>`,
    `Recorded by this repository's team about ${subject} (full text: .learnings/<id>/learning.yaml):`,
    ...rows,
    ...(omitted > 0 ? [`… ${omitted} more apply; call find_learnings to list them.`] : []),
    `</${TAG}>`,
  ].join('\n');
}

/** Takes the meaning from what would end our block, or begin another one, however it is spelled. */
const defuse = (text: string): string =>
  text.replaceAll(/<(?=\s*\/?\s*(?:project-learnings|system-reminder|[a-z]+-context)\b)/gi, '‹');

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
/** As many as models count, near enough for a budget. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

import * as vscode from 'vscode';

import { oneLine, type Found } from '../../core/api';
import { escapeMarkdown, plainLabel } from '../text';

/** Longer than this, a lens would run out of a half-wide editor. */
const LENS_CHARS = 100;
/** How many learnings a hover or tooltip spells out. */
export const MAX_SPELT = 5;

export const countOf = (total: number): string =>
  total === 1 ? vscode.l10n.t('1 learning') : vscode.l10n.t('{0} learnings', total);

/** How many there are, and the best of them. */
export function lensTitle({ total, matches: [best] }: Found): string {
  // A plain space behind an icon is not drawn in a lens.
  return `$(lightbulb)\u00a0${countOf(total)}: ${plainLabel(cutAtWord(best?.record.summary ?? '', LENS_CHARS))}`;
}

/** One line for each, the best first. */
export function summaryList({ total, matches }: Found): string {
  const rows = matches.slice(0, MAX_SPELT).map(({ record }) => `- ${escapeMarkdown(record.summary, 200)}`);
  if (total > rows.length) rows.push(`- ${andMore(total - rows.length)}`);
  return rows.join('\n');
}

export const andMore = (count: number): string => vscode.l10n.t('and {0} more', count);

function cutAtWord(text: string, maxChars: number): string {
  const cut = oneLine(text, maxChars);
  if (!cut.endsWith('…') || oneLine(text).length <= maxChars) return cut;
  const space = cut.lastIndexOf(' ');
  return space < maxChars / 2 ? cut : `${cut.slice(0, space).replace(/[\s,;:.–—-]+$/, '')}…`;
}

import type { TimeWindow } from '../predict/harmonics.ts';
import { RequestError } from './respond.ts';

const DAY_MS = 86_400_000;

/** Nodal corrections are held still over a window; a month is as long as that stays below half a centimetre. */
const MAX_WINDOW_DAYS = 31;

/**
 * Reads `from` (a UTC date) and `days`. There is no default for `from`:
 * "today" would make one cached address mean something else every day.
 */
export function parseWindow(query: URLSearchParams): TimeWindow {
  const startMs = parseUtcDate(query.get('from') ?? '');
  const days = Number(query.get('days') ?? 1);
  if (!Number.isInteger(days) || days < 1 || days > MAX_WINDOW_DAYS) {
    throw new RequestError(400, `"days" must be a whole number from 1 to ${MAX_WINDOW_DAYS}.`);
  }
  return { startMs, endMs: startMs + days * DAY_MS };
}

function parseUtcDate(text: string): number {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse turns 30 February into 2 March; only a date that survives the round trip is one.
  if (Number.isNaN(timeMs) || new Date(timeMs).toISOString().slice(0, 10) !== text) {
    throw new RequestError(400, '"from" must be a UTC date such as 2026-05-17.');
  }
  return timeMs;
}

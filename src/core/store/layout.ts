/** Where things are below the root, and what may be an id. Nothing outside `.learnings` has a name here. */

import { LearningsError } from '../errors';

export const STORE = '.learnings';
const CACHE = `${STORE}/.cache`;
export const TEMPORARY = `${CACHE}/tmp`;
export const LOCKS = `${CACHE}/locks`;
export const PENDING = `${CACHE}/pending`;
export const ARCHIVE = `${STORE}/archive`;
export const CANDIDATES = `${STORE}/candidates`;

const RECORD = /^[LP]-\d{4,}$/;
const CANDIDATE = /^C-[0-9a-f]{8}$/;

export const isRecordId = (name: string): boolean => RECORD.test(name);
export const isCandidateId = (name: string): boolean => CANDIDATE.test(name);
/** Orbit's flat layout, which is refused. */
export const isFlatRecord = (name: string): boolean => /^L-?\d[\w-]*\.ya?ml$/.test(name);

/** The folder of a record or candidate. An id that is none can lead nowhere else. */
export function folderOf(id: string): string {
  if (isRecordId(id)) return `${STORE}/${id}`;
  if (isCandidateId(id)) return `${CANDIDATES}/${id}`;
  throw new LearningsError('input-invalid', `"${id}" is not an id. Ids look like L-0001.`);
}

export const recordFile = (folder: string): string => `${folder}/learning.yaml`;
export const votesFile = (folder: string): string => `${folder}/votes.jsonl`;
export const numberOf = (id: string): number => Number(/^[LP]-(\d+)/.exec(id)?.[1] ?? 0);
export const formatId = (prefix: string, number: number): string =>
  `${prefix}-${String(number).padStart(4, '0')}`;

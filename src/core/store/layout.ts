/** Where things are below the root, and what may be an id. Nothing outside `.learnings` has a name here. */

import { LearningsError } from '../errors';

export const STORE = '.learnings';
export const CACHE = `${STORE}/.cache`;
export const TEMPORARY = `${CACHE}/tmp`;
export const LOCKS = `${CACHE}/locks`;
export const PENDING = `${CACHE}/pending`;
export const ARCHIVE = `${STORE}/archive`;
export const CANDIDATES = `${STORE}/candidates`;

// More digits than anybody needs would be more than a number can count.
const RECORD = /^[LP]-\d{4,9}$/;
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
export const isRecordFile = (path: string): boolean => nameOf(path) === 'learning.yaml';
export const numberOf = (id: string): number => Number(id.slice(2));
export const formatId = (prefix: string, number: number): string =>
  `${prefix}-${String(number).padStart(4, '0')}`;
/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** The folder a path is in. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What git should know of a store: the line that each file must have. */
export const scaffolding: Readonly<Record<string, string>> = {
  // Two branches that both voted merge without a conflict, in the archive too.
  '.gitattributes': 'votes.jsonl merge=union',
  '.gitignore': '.cache/',
};

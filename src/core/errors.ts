type ErrorCode =
  | 'not-found'
  | 'no-store'
  | 'input-invalid'
  | 'record-invalid'
  | 'refused'
  | 'conflict'
  | 'busy'
  | 'legacy-layout'
  | 'io';

/** An error meant for a person or a model: what happened and what to do next. Code branches on `code` alone. */
export class LearningsError extends Error {
  override readonly name = 'LearningsError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Whether an error is about one record alone, so that the others can go on; a disk that fails is about all. */
export const isAboutOne = (error: unknown): error is LearningsError =>
  error instanceof LearningsError && error.code !== 'io';

const remedies: Record<string, string> = {
  ENOSPC: 'the disk is full. Free some space and try again.',
  EDQUOT: 'the disk quota is used up. Free some space and try again.',
  EROFS: 'the file system is read-only. Make it writable and try again.',
  EACCES: 'permission denied. Check who owns the .learnings folder.',
  EPERM: 'permission denied. Check who owns the .learnings folder.',
  EMFILE: 'too many files are open. Close some programs and try again.',
  EIO: 'the disk reported an error. Check the disk before you try again.',
};

/** The error for a file-system call that failed with this code of the operating system. */
export function ioError(
  errno: string,
  what: { verb: string; path: string; cause?: unknown },
): LearningsError {
  const { verb, path, cause } = what;
  if (errno === 'ENOENT' || errno === 'ENOTDIR')
    return new LearningsError('not-found', `${path} does not exist.`, { cause });
  return new LearningsError('io', `Could not ${verb} ${path}: ${remedies[errno] ?? `${errno}.`}`, { cause });
}

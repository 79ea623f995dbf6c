type ErrorCode = 'not-found' | 'no-store' | 'input-invalid';

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

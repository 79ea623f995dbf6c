const NEWLINE = 0x0a;
/** More than this is passed on as it comes, and not looked into. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

interface Piece {
  readonly bytes: Buffer;
  /** Whether it is a whole line, its end included. */
  readonly isLine: boolean;
}

/** Cuts a stream of bytes into its lines, without changing or losing one. */
export class Lines {
  private parts: Buffer[] = [];
  private size = 0;
  /** Within a line whose beginning has been passed on. */
  private isTooLong = false;

  push(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end + 1));
      pieces.push({ bytes: this.take(), isLine: !this.isTooLong });
      this.isTooLong = false;
      start = end + 1;
    }
    if (start < chunk.length) this.add(chunk.subarray(start));
    if (this.size > MAX_LINE_BYTES || (this.isTooLong && this.size > 0)) {
      this.isTooLong = true;
      pieces.push({ bytes: this.take(), isLine: false });
    }
    return pieces;
  }

  /** What has come of a line that did not end. */
  rest(): Buffer {
    return this.take();
  }

  private add(part: Buffer): void {
    this.parts.push(part);
    this.size += part.length;
  }

  private take(): Buffer {
    const [only] = this.parts;
    const bytes = this.parts.length === 1 && only ? only : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return bytes;
  }
}

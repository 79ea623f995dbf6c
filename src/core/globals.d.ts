/** The few globals that every JavaScript host has and the language's own library does not declare. */
declare class TextDecoder {
  constructor(label: 'utf-8', options?: { fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

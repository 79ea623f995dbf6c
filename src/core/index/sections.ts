import type { Hash } from '../ports';

/** Typed arrays under names, packed into one file that is used as it lies, without copying. */
type Section = Uint8Array | Uint32Array | Float64Array;
export type Sections = Readonly<Record<string, Section>>;

const MAGIC = 0x504c5831;
const ALIGN = 8;
const DIGEST = { start: 8, length: 40 } as const;
const HEAD = DIGEST.start + DIGEST.length;
const types = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;
type TypeName = keyof typeof types;

interface Directory {
  readonly format: string;
  readonly sections: Readonly<Record<string, readonly [type: TypeName, offset: number, length: number]>>;
}

/** `format` says what the sections mean; a file of another one is not opened. */
export function packSections(sections: Sections, format: string, hash: Hash): Uint8Array {
  const places: Record<string, [TypeName, number, number]> = {};
  let size = 0;
  for (const [name, section] of Object.entries(sections)) {
    places[name] = [typeOf(section), size, section.length];
    size = align(size + section.byteLength);
  }
  const directory: Directory = { format, sections: places };
  const head = new TextEncoder().encode(JSON.stringify(directory));
  const start = align(HEAD + head.length);
  const file = new Uint8Array(start + size);
  new Uint32Array(file.buffer, 0, 2).set([MAGIC, head.length]);
  file.set(head, HEAD);
  for (const [name, section] of Object.entries(sections)) {
    const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
    file.set(bytes, start + (places[name]?.[1] ?? 0));
  }
  const digest = hash.quick(file.subarray(HEAD));
  file.set(new TextEncoder().encode(digest), DIGEST.start);
  return file;
}

/** The sections of a file; undefined if it is of another format, cut short or altered. */
export function unpackSections(file: Uint8Array, format: string, hash: Hash): Sections | undefined {
  try {
    // Views must start at a multiple of their size, which a pooled buffer does not promise.
    const bytes = file.byteOffset % ALIGN === 0 ? file : file.slice();
    const [magic, headLength = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
    if (magic !== MAGIC) return undefined;
    const decoder = new TextDecoder('utf-8');
    const directory = JSON.parse(decoder.decode(bytes.subarray(HEAD, HEAD + headLength))) as Directory;
    const start = align(HEAD + headLength);
    const digest = decoder.decode(bytes.subarray(DIGEST.start, HEAD));
    if (directory.format !== format) return undefined;
    if (hash.quick(bytes.subarray(HEAD)) !== digest) return undefined;
    const sections: Record<string, Section> = {};
    for (const [name, [type, offset, length]] of Object.entries(directory.sections))
      sections[name] = new types[type](
        bytes.buffer as ArrayBuffer,
        bytes.byteOffset + start + offset,
        length,
      );
    return sections;
  } catch {
    return undefined;
  }
}

const align = (offset: number): number => Math.ceil(offset / ALIGN) * ALIGN;

function typeOf(section: Section): TypeName {
  if (section instanceof Float64Array) return 'f64';
  return section instanceof Uint32Array ? 'u32' : 'u8';
}

/** Tells whether a small part is what was written; it need not withstand an enemy, who could write the YAML itself. */
export function checksum(bytes: Uint8Array): number {
  let value = bytes.length | 0;
  for (const byte of bytes) value = (Math.imul(value ^ byte, 0x9e3779b1) ^ (value >>> 15)) | 0;
  return value >>> 0;
}

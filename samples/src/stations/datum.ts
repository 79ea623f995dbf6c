const DATUMS = ['chart', 'msl', 'ordnance'] as const;

/** The level that a height is counted from. */
export type Datum = (typeof DATUMS)[number];

/** Where each datum lies above the station's chart datum, in metres; chart datum itself is always 0. */
export type DatumOffsets = Readonly<Record<Datum, number>>;

export interface Conversion {
  readonly from: Datum;
  readonly to: Datum;
  /** Offsets differ between stations, so there is no default. */
  readonly offsets: DatumOffsets;
}

export function isDatum(text: string): text is Datum {
  return DATUMS.some((datum) => datum === text);
}

export function convertHeight(heightM: number, { from, to, offsets }: Conversion): number {
  return heightM + offsets[from] - offsets[to];
}

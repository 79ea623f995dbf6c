import type { TimeWindow } from '../predict/harmonics.ts';
import type { Station } from '../stations/catalog.ts';

export interface WindowKey {
  readonly station: Pick<Station, 'id' | 'revision'>;
  readonly window: TimeWindow;
}

/** Keeps the most recently used results. A Map iterates in order of insertion, so its first key is the oldest. */
export class WindowCache<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  getOrCompute(key: WindowKey, compute: () => Value): Value {
    const id = keyText(key);
    const value = this.#entries.has(id) ? (this.#entries.get(id) as Value) : compute();
    this.#entries.delete(id);
    this.#entries.set(id, value);
    if (this.#entries.size > this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }
}

function keyText({ station, window }: WindowKey): string {
  return `${station.id}@${station.revision}/${window.startMs}-${window.endMs}`;
}

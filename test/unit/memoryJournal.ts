import type { Journal } from '../../src/core/api';

/** A journal in memory, which can be made to refuse lines as a read-only disk does. */
export function memoryJournal(options: { readOnly?: boolean } = {}): Journal & { text: string } {
  const journal = {
    text: '',
    read: () => journal.text,
    append(line: string) {
      if (options.readOnly) return false;
      journal.text += `${line}\n`;
      return true;
    },
  };
  return journal;
}

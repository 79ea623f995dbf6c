/** What it gives, or undefined where it fails: for what is derived, and does without. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

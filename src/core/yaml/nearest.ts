/** The words that somebody may have meant who wrote this one, the likeliest first. */
export function nearest(word: string, known: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const found: { one: string; distance: number }[] = [];
  for (const one of known) {
    if (one === word) continue;
    const other = one.toLowerCase();
    const isPart = wanted.length >= 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const distance = isPart ? 1 : distanceWithin(wanted, other, allowed);
    if (distance <= allowed) found.push({ one, distance });
  }
  return found.toSorted((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1)).map(({ one }) => one);
}

/** How many letters must be put in, left out, changed or swapped with the next; more than `most` is not counted out. */
function distanceWithin(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > 200) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? most + 1;
}

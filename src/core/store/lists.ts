/** Some keys hold one thing or a list of them. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : [value].flat();

/** A list as such a key is written: one thing plainly, none not at all. */
export const asValue = (list: readonly unknown[]): unknown =>
  list.length > 1 ? list : list.length === 1 ? list[0] : undefined;

/** What either side added to the base, without what either took away. Ours come first. */
export function mergeList(base: unknown, ours: unknown, theirs: unknown): unknown[] {
  const keyed = (value: unknown): Map<string, unknown> =>
    new Map(listOf(value).map((item) => [JSON.stringify(item), item]));
  const [before, mine, yours] = [keyed(base), keyed(ours), keyed(theirs)];
  return [...new Map([...mine, ...yours])]
    .filter(([key]) => !before.has(key) || (mine.has(key) && yours.has(key)))
    .map(([, item]) => item);
}

/**
 * Makes something when it is first wanted. Schemas are made so: to make them all takes longer than everything else that
 * happens when a program starts, and most runs want none of them, since the saved index holds what was checked already.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

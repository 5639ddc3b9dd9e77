/** The list with one of its items a step further up or down. */
export function moved<T>(list: readonly T[], index: number, step: 1 | -1): readonly T[] {
  const next = [...list];
  const taken = next.splice(index, 1);
  next.splice(index + step, 0, ...taken);
  return next;
}

/** Groups elements by their key, in the order of the first element of each group. */
export function grouped<Element>(
  elements: readonly Element[],
  keyOf: (element: Element) => string,
): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}

/** Returns the names of the properties of `after` that have another value in `before`, for the audit log. */
export function changedNames(before: object, after: object): string[] {
  const had = before as Readonly<Record<string, unknown>>;
  return Object.entries(after).flatMap(([name, has]) =>
    had[name] === has || JSON.stringify(had[name]) === JSON.stringify(has) ? [] : name,
  );
}

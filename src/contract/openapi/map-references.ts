/** Returns a copy of a part of an OpenAPI document in which each `$ref` is what `map` returns for it. */
export function mapReferences(value: unknown, map: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapReferences(one, map));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? map(member) : mapReferences(member, map),
    ]),
  );
}

/** Keywords whose values are data, and not schemas. */
const LITERALS = ['example', 'examples', 'default', 'enum', 'const'];

/**
 * Translates `nullable`, which decorators use, to the types of JSON Schema: OpenAPI 3.1 has no such keyword. Returns a copy.
 */
export function withNullTypes<T>(value: T): T {
  return translate(value) as T;
}

function translate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translate);
  if (value === null || typeof value !== 'object') return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) members[key] = LITERALS.includes(key) ? member : translate(member);
  const { nullable, ...rest } = members;
  // A property may have this name.
  if (typeof nullable !== 'boolean') return members;
  return nullable ? orNull(rest) : rest;
}

function orNull({ type, enum: values, allOf, $ref, description, example, ...rest }: Record<string, unknown>): object {
  const notes = { ...(description !== undefined && { description }), ...(example !== undefined && { example }) };
  if (typeof type !== 'string') {
    const schema = $ref === undefined ? { allOf, ...rest } : { $ref };
    return { anyOf: [schema, { type: 'null' }], ...notes };
  }
  const options = Array.isArray(values) && { enum: [...(values as unknown[]).filter((one) => one !== null), null] };
  return { type: [type, 'null'], ...rest, ...options, ...notes };
}

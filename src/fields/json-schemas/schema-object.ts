/** A schema of JSON Schema 2020-12. */
export type SchemaObject = Readonly<Record<string, unknown>>;

const NULL: SchemaObject = { type: 'null' };

/** The schema of the same values and null. */
export function orNull(schema: SchemaObject): SchemaObject {
  if (Object.keys(schema).length === 0) return schema;
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string' || '$ref' in rest) return { anyOf: [schema, NULL] };
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }), ...rest };
}

/** The schema of the values that both describe. Limits of the same name are put together; what else has the same name stands apart. */
export function both(schema: SchemaObject, other: SchemaObject): SchemaObject {
  const joined: Record<string, unknown> = { ...schema };
  const apart: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(other)) {
    if (joined[keyword] === undefined) joined[keyword] = value;
    else if (STRICTER[keyword]) joined[keyword] = STRICTER[keyword](joined[keyword] as number, value as number);
    else apart[keyword] = value;
  }
  if (Object.keys(apart).length === 0) return joined;
  return { ...joined, allOf: [...((joined['allOf'] as SchemaObject[] | undefined) ?? []), apart] };
}

/** Which of two limits is the stricter one. */
const STRICTER: Readonly<Record<string, (one: number, other: number) => number>> = {
  minLength: Math.max,
  maxLength: Math.min,
  minimum: Math.max,
  maximum: Math.min,
};

/** Keywords of a type's own schema that are for people. */
export const NOTES = ['description', 'example'];

/** The schema without these keywords. */
export function withoutKeywords(schema: object, keywords: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the record's own value of that name. Returns undefined for null, which counts as not supplied. */
export function supplied(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined;
}

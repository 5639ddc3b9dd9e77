/** A value of the query. A list is sent as one value, with commas. Undefined is not sent. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Fills in the `{names}` of a path. */
export function pathOf(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name]));
}

/** Encodes one segment of a path. An empty one, `.` and `..` would lead to another resource. */
function segment(name: string, value: unknown): string {
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError(
      `${name} must be a value that can stand in a path, and not ${JSON.stringify(value) ?? 'undefined'}.`,
    );
  }
  return encodeURIComponent(text);
}

export function queryOf(values: Readonly<Record<string, QueryValue>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.append(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** A query string as it was sent: names are flat (`filter[title][ne]`), a repeated name holds a list. */
export type Query = Record<string, string | string[]>;

/** At most so many parameters are read; more are as good as an attack. */
const MAX_PARAMETERS = 100;

/** Express's query parser: no nesting, no arrays by brackets, no prototype. */
export function parseQuery(text: string): Query {
  const query = Object.create(null) as Query;
  if (!text) return query;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_PARAMETERS) break;
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

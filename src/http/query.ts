/** A parsed query string. Names are flat (`filter[title][ne]`). A repeated name has a list of values. */
export type Query = Record<string, string | string[]>;

/** At most this many parameters are read, as a protection against attacks. */
const MAX_PARAMETERS = 100;

/** The query parser for Express. It supports neither nesting nor arrays in brackets, and its result has no prototype. */
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

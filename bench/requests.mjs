/** Requests as complete text, prepared in advance so that sending one costs the load generator nothing. */

/** Text that a response contains once for each entry, submission or form. Inside of a string, its quotes would be escaped. */
export const ENTRY = '"content_type_id":';
export const SUBMISSION = '"form_id":';
export const VERSION = '"action":';
export const FORM = '"submission_count":';

/**
 * @typedef {object} Question
 * @property {'GET'|'POST'|'PATCH'} method
 * @property {string} path
 * @property {object} [body]
 * @property {Record<string, string>} [headers]
 * @property {number|null} items in the answer; null: what the servers are found to answer before the run
 */

/** A request as text for one server, with the expected status and items. */
export function written({ method, path, body, headers = {}, items }, marker, port, serverHeaders = {}) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    Host: `127.0.0.1:${port}`,
    ...serverHeaders,
    ...headers,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    text: `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`,
    status: method === 'POST' ? 201 : 200,
    items,
    marker,
  };
}

/** Returns the response's JSON. Throws unless the request succeeds. */
export async function ask({ url, headers: serverHeaders }, { method, path, body, headers }) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...serverHeaders, ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/** The number of entries, submissions or forms in a response, with those that it includes. */
export function itemsIn({ data, included = {} }) {
  return (Array.isArray(data) ? data.length : 1) + Object.keys(included).length;
}

/** A case with resolved placeholders, as bytes and as a command to paste into a shell. */
import { renderBody } from './generators/bodies.mjs';
import { encode } from './generators/ids.mjs';

const MAX_SHOWN = 4_000;
const LARGEST_HEAD_BYTES = 16 * 1024;

/** The request target: path and query. */
export function targetOf({ path, query = [] }) {
  const parts = query.map((pair) => (Array.isArray(pair) ? `${encode(pair[0])}=${encode(String(pair[1]))}` : pair));
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path;
}

/** Returns {bytes, isLongHead}. `defaults` are headers that the case may override. */
export function bytesOf(sent, defaults) {
  const { bytes, headers } = renderBody(sent.body);
  const own = sent.headers ?? [];
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const all = [...[...defaults, ...headers].filter(([name]) => !names.has(name.toLowerCase())), ...own];
  const lines = all.map(([name, value]) => `${name}: ${value}`.replaceAll(/[\r\n\0]/g, ' '));
  const target = targetOf(sent).replaceAll(/[\r\n\0 ]/g, (character) => encode(character));
  const head = Buffer.from(`${[`${sent.method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  return { bytes: Buffer.concat([head, bytes]), isLongHead: head.length >= LARGEST_HEAD_BYTES };
}

/** A shell command that sends these bytes again. */
export function commandOf(bytes, port) {
  const text = bytes.toString('latin1');
  const [head, ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (text.length > MAX_SHOWN)
    return `${quoted(text.slice(0, 600))} … (${bytes.length} bytes; all are in the finding's file)`;
  const [line, ...headers] = head.split('\r\n');
  const [method, target] = line.split(' ');
  const isPlain = /^[\x20-\x7e\r\n]*$/.test(text) && target?.startsWith('/') && !/transfer-encoding/i.test(head);
  if (!isPlain) return `printf %b ${quoted(escaped(text))} | nc -q 5 127.0.0.1 ${port}`;
  const shown = headers.filter((header) => !/^(host|content-length):/i.test(header));
  return [
    `curl -sSig --path-as-is -X ${method} ${quoted(`http://127.0.0.1:${port}${target}`)}`,
    ...shown.map((header) => `-H ${quoted(header)}`),
    ...(body ? [`--data-binary ${quoted(body)}`] : []),
  ].join(' ');
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escaped(text) {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll(/[^\x20-\x7e]/g, octal);
}

function octal(character) {
  return /[\r\n]/.test(character) ? character : `\\0${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

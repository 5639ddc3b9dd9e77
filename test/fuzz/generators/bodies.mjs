/**
 * Bodies as plain data, and their bytes. A body is {text} or {base64} or {file} or {made} (a name in MADE) or {multipart: [{name,
 * filename?, type?, text | file}]}, with `type` for Content-Type, `encoding` (applied and declared in Content-Encoding), `claims` (only
 * declared) and `chunked`.
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { GOOD_FILES, HOSTILE_FILES } from './files.mjs';

const BOUNDARY = 'fuzz-boundary-7d1';
const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const spaces = (bytes) => Buffer.alloc(bytes, ' ');

/** Bytes that are expensive to generate, or are not text. Generated on first use. */
const MADE = {
  'gzip-bomb': () => gzipSync(Buffer.concat([Buffer.from('{"fields":"'), spaces(100_000_000), Buffer.from('"}')])),
  'gzip-of-gzip': () => gzipSync(gzipSync(spaces(50_000_000))),
  'br-bomb': () => brotliCompressSync(spaces(100_000_000)),
  'gzip-cut': () => gzipSync('{"fields":{}}').subarray(0, 12),
  'gzip-corrupt': () => Buffer.concat([gzipSync('{"fields":{}}').subarray(0, 15), Buffer.from('garbage')]),
  'gzip-trailing': () => Buffer.concat([gzipSync('{"fields":{}}'), Buffer.from('trailing')]),
  'deflate-raw': () => deflateRawSync('{"fields":{}}'),
  'br-corrupt': () => Buffer.from('0b028049276d', 'hex'),
  'utf-16': () => Buffer.from('\ufeff{"fields":{}}', 'utf16le'),
  'utf-32': () => Buffer.from('fffe00007b0000007d000000', 'hex'),
  'latin-1': () => Buffer.from('{"fields":{"a":"\xe4\xf6"}}', 'latin1'),
  'overlong-utf-8': () => Buffer.from('7b2261223a22c080227d', 'hex'),
  'surrogate-utf-8': () => Buffer.from('7b2261223a22eda080227d', 'hex'),
  'cut-utf-8': () => Buffer.from('7b2261223a22e282227d', 'hex'),
  bom: () => Buffer.from('\ufeff{"fields":{}}'),
  nul: () => Buffer.from('{"fields":{}}\0'),
  'one-mebibyte': () => Buffer.concat([Buffer.from('{"fields":{'), spaces(1_048_576 - 13), Buffer.from('}}')]),
  'one-byte-more': () => Buffer.concat([Buffer.from('{"fields":{'), spaces(1_048_576 - 12), Buffer.from('}}')]),
  'two-mebibytes': () => Buffer.concat([Buffer.from('{"fields":{'), spaces(2_097_152), Buffer.from('}}')]),
  'many-numbers': () => Buffer.from(`{"fields":{"a_json":[${'1,'.repeat(500_000)}1]}}`),
  'many-keys': () =>
    Buffer.from(`{"fields":{${Array.from({ length: 70_000 }, (_, index) => `"k${index}":1`).join()}}}`),
};

export const MADE_BODIES = Object.keys(MADE);
const made = new Map();

/** Returns {bytes, headers}; headers are pairs. Without a body both are empty. */
export function renderBody(body) {
  if (!body) return { bytes: Buffer.alloc(0), headers: [] };
  const plain = plainBytes(body);
  const bytes = body.encoding ? ENCODERS[body.encoding](plain) : plain;
  const type = body.multipart ? `multipart/form-data; boundary=${BOUNDARY}` : body.type;
  const told = body.claims ?? body.encoding;
  return {
    bytes: body.chunked ? inChunks(bytes) : bytes,
    headers: [
      ...(type ? [['Content-Type', type]] : []),
      ...(told ? [['Content-Encoding', told]] : []),
      body.chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)],
    ],
  };
}

function plainBytes({ text, base64, file, made: name, multipart }) {
  if (multipart) return multipartBytes(multipart);
  if (name) {
    if (!made.has(name)) made.set(name, MADE[name]());
    return made.get(name);
  }
  if (file) return GOOD_FILES[file] ?? HOSTILE_FILES[file];
  return base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
}

function multipartBytes(parts) {
  const chunks = parts.flatMap(({ name, filename, type, ...content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escaped(name)}"` +
        `${filename === undefined ? '' : `; filename="${escaped(filename)}"`}\r\n` +
        `${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    ),
    plainBytes(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Escapes names in header lines as browsers do. */
function escaped(text) {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function inChunks(bytes) {
  const size = Math.max(1, Math.ceil(bytes.length / 3));
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** Multipart bodies that are broken as a whole; `type` is the matching Content-Type. */
export const BROKEN_MULTIPART = [
  { text: '', type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: 'no boundary here', type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: `--${BOUNDARY}`, type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: `--${BOUNDARY}--`, type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: `--${BOUNDARY}--\r\n`, type: 'multipart/form-data' },
  { text: `--${BOUNDARY}--\r\n`, type: 'multipart/form-data; boundary=' },
  { text: `--${BOUNDARY}--\r\n`, type: `multipart/form-data; boundary="${BOUNDARY}` },
  { text: `--x--\r\n`, type: `multipart/form-data; boundary=${'x'.repeat(300)}` },
  { text: `--x--\r\n`, type: 'multipart/mixed; boundary=x' },
  {
    text: part('name="file"; filename="a.txt"', 'never ends').slice(0, -6),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
  { text: part('name="file"', 'no filename'), type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: part('filename="a.txt"', 'no name'), type: `multipart/form-data; boundary=${BOUNDARY}` },
  { text: part('name="__proto__"', '{"a":1}'), type: `multipart/form-data; boundary=${BOUNDARY}` },
  {
    text: part('name="file"; filename*=UTF-8\'\'%ff%00.txt', 'encoded'),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
  {
    text: part(`name="alt"; x="${'y'.repeat(20_000)}"`, 'long header'),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
  {
    text: part('name="file"; filename="a.txt"\r\n'.repeat(60), 'many headers'),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
  {
    text: `--${BOUNDARY}\r\n\r\nno headers\r\n--${BOUNDARY}--\r\n`,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
  {
    text: `--${BOUNDARY}\nContent-Disposition: form-data; name="file"; filename="a"\n\nbare line feeds\n--${BOUNDARY}--\n`,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  },
];

function part(disposition, content) {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`;
}

/**
 * Broken and unusual HTTP on a separate connection. A script is {name, steps, expect?}: steps are {send, times?}, {wait} in milliseconds,
 * {end} (half-close), {leave} (close without reading). `expect` lists the only right statuses of the first response, if there are such;
 * null stands for no response.
 */
import fc from 'fast-check';

const HOST = 'Host: {{host}}\r\n';
const GET = `GET /v1/forms/{{tenant}} HTTP/1.1\r\n${HOST}Authorization: {{bearer}}\r\n\r\n`;
const SUBMIT = `POST /v1/forms/{{tenant}}/{{slug.every}}/submissions HTTP/1.1\r\n${HOST}X-Forwarded-For: {{address}}\r\nContent-Type: application/json\r\n`;
const CREATE = `POST /v1/content/{{tenant}}/types/{{type.every}}/entries HTTP/1.1\r\n${HOST}Authorization: {{bearer}}\r\nContent-Type: application/json\r\n`;
const UPLOAD = `POST /v1/media/{{tenant}} HTTP/1.1\r\n${HOST}Authorization: {{bearer}}\r\nContent-Type: multipart/form-data; boundary=x\r\n`;
const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const BODY = '{"fields":{}}';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const BAD = [400];
const BAD_OR_CLOSED = [400, null];

const script = (name, steps, expect) => ({
  name,
  steps: steps.map((step) => (typeof step === 'string' ? { send: step } : step)),
  expect,
});
const lengthOf = (value, expect = BAD) =>
  script(`Content-Length: ${value.slice(0, 30)}`, [`${SUBMIT}Content-Length: ${value}\r\n\r\n${BODY}`], expect);
const codingOf = (line, expect) =>
  script(line.slice(0, 40), [`${SUBMIT}${line}\r\n\r\nd\r\n${BODY}\r\n0\r\n\r\n`], expect);
const chunksOf = (name, text, expect) =>
  script(`chunks: ${name}`, [`${SUBMIT}${CHUNKED}\r\n${text}`, { end: true }], expect);
const lineOf = (line, expect) => script(`request line: ${line.slice(0, 40)}`, [`${line}\r\n${HOST}\r\n`], expect);
const headerOf = (name, lines, expect) =>
  script(`header: ${name}`, [`GET /health/live HTTP/1.1\r\n${HOST}${lines}\r\n\r\n`], expect);

const SCRIPTS = [
  script('Content-Length and chunks', [`${SUBMIT}${LENGTH}${CHUNKED}\r\n0\r\n\r\n${GET}`], BAD),
  script('chunks and Content-Length', [`${SUBMIT}${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n${GET}`], BAD),
  script('two lengths', [`${SUBMIT}${LENGTH}Content-Length: 1\r\n\r\n${BODY}`], BAD),
  script('two equal lengths', [`${SUBMIT}${LENGTH}${LENGTH}\r\n${BODY}`], BAD),
  ...['5, 5', '+13', '-1', '0x0d', '1e1', '', '99999999999999999999999', '13.0', '1 3'].map((value) => lengthOf(value)),
  script('a body longer than its length', [`${SUBMIT}${LENGTH}\r\n${BODY}garbage\r\n\r\n`]),
  script('a body shorter than its length, connection open', [
    `${SUBMIT}Content-Length: 100\r\n\r\n${BODY}`,
    { wait: 200 },
    { leave: true },
  ]),
  script(
    'a body shorter than its length, half-closed',
    [`${SUBMIT}Content-Length: 100\r\n\r\n${BODY}`, { end: true }],
    BAD_OR_CLOSED,
  ),
  script('an upload that is cut off', [
    `${UPLOAD}Content-Length: 5000\r\n\r\n${PART}some`,
    { wait: 50 },
    { leave: true },
  ]),
  script(
    'an upload that is half-closed',
    [`${UPLOAD}Content-Length: 5000\r\n\r\n${PART}some`, { end: true }],
    BAD_OR_CLOSED,
  ),
  script('a create that is cut off', [
    `${CREATE}Content-Length: 500000\r\n\r\n{"fields":{"a_text":"`,
    { send: 'x', times: 1_000 },
    { leave: true },
  ]),
  script('a list that is not read', [GET, { leave: true }]),
  script('twenty lists that are not read', [{ send: GET, times: 20 }, { leave: true }]),
  codingOf('Transfer-Encoding: chunked, chunked'),
  codingOf('Transfer-Encoding: gzip, chunked'),
  codingOf('Transfer-Encoding: chunked, gzip', BAD),
  codingOf('Transfer-Encoding: identity', [...BAD, 422, 415]),
  codingOf('Transfer-Encoding: xchunked', BAD),
  codingOf('Transfer-Encoding:\tchunked'),
  codingOf('Transfer-Encoding : chunked', BAD),
  codingOf('Transfer-Encoding\r\n : chunked', BAD),
  codingOf('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'),
  codingOf('Transfer-Encoding: "chunked"'),
  codingOf('Transfer-Encoding: \u000bchunked'),
  chunksOf('an extension', `d;a=b\r\n${BODY}\r\n0\r\n\r\n`),
  chunksOf('a long extension', `d;${'a'.repeat(50_000)}\r\n${BODY}\r\n0\r\n\r\n`, BAD_OR_CLOSED),
  chunksOf('no size', `zz\r\n${BODY}\r\n0\r\n\r\n`, BAD),
  chunksOf('a negative size', `-1\r\n${BODY}\r\n0\r\n\r\n`, BAD),
  chunksOf('an enormous size', `ffffffffffffffff\r\n${BODY}`, BAD_OR_CLOSED),
  chunksOf('a size that overflows', `fffffffffffffffffff\r\n${BODY}`, BAD),
  chunksOf('bare line feeds', `d\n${BODY}\n0\n\n`),
  chunksOf('more than the size', `5\r\n${BODY}\r\n0\r\n\r\n`, BAD),
  chunksOf('no last chunk', `d\r\n${BODY}\r\n`, BAD_OR_CLOSED),
  chunksOf('trailers', `d\r\n${BODY}\r\n0\r\nX-More: 1\r\nContent-Length: 5\r\n\r\n`),
  chunksOf('many trailers', `d\r\n${BODY}\r\n0\r\n${'X-More: 1\r\n'.repeat(5_000)}\r\n`),
  chunksOf('one byte each', `${[...BODY].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`),
  chunksOf('ten thousand', `${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`),
  lineOf('GET /health/live'),
  lineOf('GET /health/live HTTP/0.9'),
  lineOf('GET /health/live HTTP/1.0'),
  lineOf('GET /health/live HTTP/1.2'),
  lineOf('GET /health/live HTTP/2.0'),
  lineOf('GET /health/live HTTP/1.1 HTTP/1.1', BAD),
  lineOf('GET /health/live XTTP/1.1', BAD),
  lineOf('GET  /health/live HTTP/1.1'),
  lineOf('GET\t/health/live\tHTTP/1.1', BAD),
  lineOf('get /health/live HTTP/1.1', BAD),
  lineOf('G /health/live HTTP/1.1', BAD),
  lineOf(`${'A'.repeat(10_000)} / HTTP/1.1`, BAD),
  lineOf('GET http://{{host}}/health/live HTTP/1.1', [200]),
  lineOf('GET https://evil.example/v1/forms/{{tenant}} HTTP/1.1'),
  lineOf('GET http:///x HTTP/1.1'),
  lineOf('GET health/live HTTP/1.1'),
  lineOf('GET ?a=b HTTP/1.1'),
  lineOf('GET * HTTP/1.1'),
  lineOf('OPTIONS * HTTP/1.1'),
  lineOf('CONNECT example.com:443 HTTP/1.1'),
  lineOf('CONNECT {{host}} HTTP/1.1'),
  lineOf('TRACE /health/live HTTP/1.1'),
  lineOf('PURGE /health/live HTTP/1.1'),
  lineOf('GET /\u00e4\u00ff HTTP/1.1'),
  lineOf('GET /health/live?\u0000 HTTP/1.1', BAD),
  lineOf(`GET /${'a'.repeat(20_000)} HTTP/1.1`, [431, null]),
  lineOf(`GET /${'a'.repeat(200_000)} HTTP/1.1`, [431, null]),
  lineOf(`GET /${'../'.repeat(4_000)}etc/passwd HTTP/1.1`),
  script('no Host', ['GET /health/live HTTP/1.1\r\n\r\n'], BAD),
  script('HTTP/1.0 without a Host', ['GET /health/live HTTP/1.0\r\n\r\n'], [200]),
  script('HTTP/1.0 kept alive', [`GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${GET}`], [200]),
  script('two Hosts', [`GET /health/live HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`]),
  script('line breaks first', [`\r\n\r\n${GET}`], [200]),
  script('spaces first', [`  ${GET}`], BAD),
  script('bare line feeds', [GET.replaceAll('\r\n', '\n')]),
  script('bare carriage returns', [GET.replaceAll('\r\n', '\r')], BAD_OR_CLOSED),
  headerOf('no colon', 'nonsense', BAD),
  headerOf('no name', ': value', BAD),
  headerOf('a space in its name', 'X Y: value', BAD),
  headerOf('a space before the colon', 'X-Y : value', BAD),
  headerOf('folded', 'X-Y: a\r\n b', BAD),
  headerOf('folded with a tab', 'X-Y: a\r\n\tb', BAD),
  headerOf('a NUL', 'X-Y: a\u0000b', BAD),
  headerOf('a carriage return', 'X-Y: a\rb', BAD),
  headerOf('control characters', 'X-Y: a\u0001\u007fb'),
  headerOf('as long as may be', `X-Y: ${'a'.repeat(15_000)}`, [200]),
  headerOf('too long', `X-Y: ${'a'.repeat(100_000)}`, [431, null]),
  headerOf('a thousand', Array.from({ length: 1_000 }, (_, index) => `X-${index}: 1`).join('\r\n'), [200]),
  headerOf('twenty thousand', Array.from({ length: 20_000 }, (_, index) => `X-${index}: 1`).join('\r\n'), [431, null]),
  headerOf(
    'an upgrade',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    [200],
  ),
  headerOf(
    'a websocket',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13',
    [200],
  ),
  headerOf('an unknown expectation', 'Expect: something', [417]),
  script('the preface of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], BAD_OR_CLOSED),
  script('the hello of TLS', ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'], BAD),
  script(
    'noise',
    [Array.from({ length: 2_000 }, (_, index) => String.fromCharCode((index * 7_919) % 256)).join('')],
    BAD,
  ),
  script('NULs', ['\u0000'.repeat(100_000)], BAD_OR_CLOSED),
  script('nothing, half-closed', [{ end: true }], BAD_OR_CLOSED),
  script('nothing at all', [{ wait: 100 }, { leave: true }]),
  script('half a request line', ['GET /hea', { wait: 50 }, { end: true }], BAD_OR_CLOSED),
  script('half a header', [`GET /health/live HTTP/1.1\r\n${HOST}X-`, { wait: 50 }, { end: true }], BAD_OR_CLOSED),
  script('half a header, then closed', [`GET /health/live HTTP/1.1\r\n${HOST}X-`, { wait: 50 }, { leave: true }]),
  script(
    'slowly',
    [...`GET /health/live HTTP/1.1\r\n${HOST}\r\n`].flatMap((one) => [{ send: one }, { wait: 2 }]),
    [200],
  ),
  // Node treats a half-closed connection as a client that has left.
  script('half-closed after the request', [GET, { end: true }], [200, null]),
  script('Expect: 100-continue', [`${CREATE}Expect: 100-continue\r\n${LENGTH}\r\n`, { wait: 50 }, BODY]),
  script('Expect: 100-continue, then closed', [
    `${CREATE}Expect: 100-continue\r\n${LENGTH}\r\n`,
    { wait: 50 },
    { leave: true },
  ]),
  script(
    'Expect: 100-continue without a body',
    [`GET /health/live HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n\r\n`],
    [200],
  ),
  script('a request within a body', [`${SUBMIT}Content-Length: ${GET.length}\r\n\r\n${GET}`]),
];

/** Requests that are sent at once on one connection. All responses must arrive, in order. */
const pipelined = fc.record({
  flavour: fc.constant('raw'),
  operation: fc.constant('(connection)'),
  name: fc.constant('pipelined'),
  steps: fc.nat(100).map((count) => [{ send: GET, times: count + 1 }]),
  expect: fc.constant([200]),
});

/** The client disconnects after some bytes of a valid request. */
const cut = fc
  .tuple(
    fc.constantFrom(`${SUBMIT}${LENGTH}\r\n${BODY}`, `${CREATE}${LENGTH}\r\n${BODY}`, GET),
    fc.nat(400),
    fc.constantFrom('end', 'leave'),
  )
  .map(([text, length, how]) => ({
    flavour: 'raw',
    operation: '(connection)',
    name: `cut, ${how}`,
    steps: [{ send: text.slice(0, length) }, { [how]: true }],
  }));

export const connectionCases = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(...SCRIPTS).map((one) => ({ flavour: 'raw', operation: '(connection)', ...one })),
  },
  { weight: 1, arbitrary: pipelined },
  { weight: 2, arbitrary: cut },
);

/** `count` requests at once on one connection, from a client that disconnects without reading. */
export const burstOf = (count) => ({
  flavour: 'raw',
  operation: '(connection)',
  name: `a burst of ${count} pipelined requests`,
  steps: [{ send: `GET /x HTTP/1.1\r\n${HOST}\r\n`, times: count }, { leave: true }],
});

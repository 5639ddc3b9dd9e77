/** Headers that programs often handle wrongly. A header is a [name, value] pair, and replaces the request's own header of that name. */
import fc from 'fast-check';

const long = 'x'.repeat(9_000);

const ODD = {
  'If-Match': [
    '*',
    '"v1"',
    'W/"v1"',
    '"v1", "v2"',
    'v1',
    '"',
    '""',
    '"v99999999999999999999"',
    '"v-1"',
    '"v1e9"',
    `"${long}"`,
    ',',
  ],
  'If-None-Match': ['*', 'W/"v1"', '"v1"', '"a", *', '"', long],
  'Idempotency-Key': [
    '',
    ' ',
    'once',
    'twice',
    'a b',
    'x'.repeat(255),
    'x'.repeat(256),
    '\u00e4',
    "' OR 1=1 --",
    '__proto__',
    long,
  ],
  Range: [
    'bytes=0-',
    'bytes=-0',
    'bytes=-1',
    'bytes=5-2',
    'bytes=99999999999999999999-',
    'bytes=0-0,1-1',
    `bytes=${'0-0,'.repeat(1_000)}1-1`,
    'bytes=a-b',
    'bytes=',
    'items=0-1',
    'bytes=0-99999999999999999999',
    'bytes=9007199254740993-9007199254740995',
  ],
  'If-Range': ['"x"', 'Wed, 21 Oct 2015 07:28:00 GMT', '{{etag}}'],
  Expect: ['100-continue', '200-ok', '', 'a, b'],
  'Accept-Encoding': ['gzip', 'br;q=1.0, *;q=0', 'identity;q=0', '*;q=0', long],
  Accept: ['text/html', '*/*;q=0', 'application/xml', 'nonsense', ''],
  'Content-Type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;;',
    'APPLICATION/JSON',
    'application/json; charset="utf-8"',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    '',
    '/',
    `application/json; ${long}`,
  ],
  'Content-Encoding': ['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'zstd', 'nonsense', ''],
  Authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Basic dGVzdDp0ZXN0',
    'bearer nonsense',
    'Bearer a b',
    'Bearer \t',
    `Bearer ${long}`,
    "Bearer ' OR 1=1 --",
    'Bearer __proto__',
    'Bearer null',
    'Bearer \u00e4',
  ],
  'X-Request-Id': ['a', 'x'.repeat(128), 'x'.repeat(129), 'a b', '<script>', '../x', '\u00e4', ''],
  'X-Forwarded-For': [
    '',
    'nonsense',
    '::1',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    '1.2.3.4, 5.6.7.8',
    "' OR 1=1",
    long,
    '999.1.1.1',
  ],
  'X-Forwarded-Proto': ['https', 'javascript'],
  'X-Forwarded-Host': ['evil.example'],
  'X-HTTP-Method-Override': ['DELETE'],
  Cookie: ['a=b', long],
  Origin: ['https://example.com', 'null', 'nonsense', long],
  'Access-Control-Request-Method': ['POST', 'nonsense'],
  'Access-Control-Request-Headers': ['x', long],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['close', 'upgrade', 'keep-alive, x', 'te'],
  TE: ['trailers'],
  Trailer: ['Content-Length'],
  'Max-Forwards': ['0'],
  'User-Agent': [long],
  ['__proto__']: ['x'],
  constructor: ['x'],
};

/** Requests in which only the headers are unusual. */
export const oddHeaders = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(...Object.keys(ODD))
      .chain((name) => fc.constantFrom(...ODD[name]).map((value) => [[name, value]])),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      [['Host', '']],
      [['Host', 'evil.example']],
      [['Host', 'a b']],
      [
        ['Host', '{{host}}'],
        ['Host', 'other.example'],
      ],
      [
        ['Authorization', '{{bearer}}'],
        ['Authorization', 'Bearer other'],
      ],
      [
        ['Content-Type', 'application/json'],
        ['Content-Type', 'text/plain'],
      ],
      [
        ['X-Forwarded-For', '1.2.3.4'],
        ['X-Forwarded-For', '5.6.7.8'],
      ],
      [
        ['Idempotency-Key', 'once'],
        ['Idempotency-Key', 'twice'],
      ],
      [
        ['If-Match', '"v1"'],
        ['If-Match', '"v2"'],
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(100, 1_000, 2_500)
      .map((count) => Array.from({ length: count }, (_, index) => [`X-${index}`, 'x'.repeat(3)])),
  },
);

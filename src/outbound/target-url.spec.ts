import fc from 'fast-check';
import { AddressPolicy, parseCidrs } from './address.js';
import { checkTargetUrl, plainHostName, PUBLIC_NEEDS_HTTPS } from './target-url.js';

const closed: AddressPolicy = { allowPrivateNetworks: false, allow: [] };
const open: AddressPolicy = { allowPrivateNetworks: true, allow: [] };

const NOT_PUBLIC =
  'url must point to a public host. For development, the operator can allow other hosts with WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.';
const NOT_HTTPS = 'url must be an absolute https URL.';
const REPAIRED =
  /^url must not contain white space, control characters or backslashes: it has (an?|the) .* at position \d+\.$/u;

describe('a target URL', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?a=b&c=%20d',
    'HTTPS://EXAMPLE.com:8443/',
    'https://example.com./',
    'https://bücher.example/ü',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:8443/hook',
    'https://localhost.example.com/',
    'https://notlocal/',
    'https://example.com/@user',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('may be %s', (url) => expect(checkTargetUrl(url, closed)).toBeUndefined());

  it.each([undefined, null, 1, {}, ['https://example.com'], new URL('https://example.com')])(
    'must be a string, not %p',
    (url) => expect(checkTargetUrl(url, open)).toBe('url must be a string.'),
  );

  it.each([
    ...['', 'example.com', '//example.com', '/hook', 'http:example.com', 'ftp://example.com', 'file:///etc/passwd'],
    ...['https:example.com', 'https:/example.com', 'https:///example.com', 'https://', 'https://?a', 'https://#'],
    ...[
      'https://exa mple.com'.replace(' ', '%20'),
      'https://example.com:99999',
      'https://1.2.3.4.5',
      'https://[::1',
      'https://[',
    ],
    ...['https://256.1.1.1/', 'https://a%00b/', 'javascript:alert(1)'],
  ])('must be absolute and https, not %p', (url) => {
    expect(checkTargetUrl(url, closed)).toBe(NOT_HTTPS);
    expect(checkTargetUrl(url, open)).toBe(NOT_HTTPS);
  });

  it.each([
    ...[
      ' https://example.com',
      'https://example.com ',
      'https://exam\tple.com',
      'https://example.com/\n',
      '\0https://example.com',
    ],
    ...[
      'https:\\\\example.com',
      'https://example.com\\@127.0.0.1',
      'https://example.com/a b',
      'https://exam\u200Bple.com',
    ],
    ...[
      'https://exam\u00ADple.com',
      'https://example.com/\u2028',
      '\uFEFFhttps://example.com',
      'https://example.com/\uD800',
    ],
  ])('must not contain characters that a parser repairs, as %j does', (url) =>
    expect(checkTargetUrl(url, open)).toMatch(REPAIRED),
  );

  it.each([
    'https://a:b@example.com',
    'https://a@example.com',
    'https://@example.com',
    'https://:@example.com',
    'https://a@b@c',
  ])('must not contain credentials, as %s does', (url) =>
    expect(checkTargetUrl(url, open)).toBe('url must not contain credentials.'),
  );

  it('must not contain a fragment, not even an empty one', () => {
    expect(checkTargetUrl('https://example.com/#a', open)).toBe('url must not contain a fragment.');
    expect(checkTargetUrl('https://example.com/#', open)).toBe('url must not contain a fragment.');
  });

  it('must have at most 2,048 characters', () => {
    expect(checkTargetUrl(`https://example.com/${'a'.repeat(2029)}`, open)).toBe(
      'url must have at most 2,048 characters.',
    );
  });

  const inside = [
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'printer.local',
      'Printer.LOCAL.',
      'local',
      'vault.internal',
    ],
    ...['metadata.google.internal', 'metadata.google.internal.', 'ｌocalhost', 'a.internal..'],
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.0.1.',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0',
      '0.0.0.0',
    ],
    ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376'],
    ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '100.64.0.1', '255.255.255.255', '224.0.0.1'],
    ...[
      '[::]',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0::FFFF:7F00:0001]',
    ],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2001:0:1::1]'],
    ...['[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[::ffff:0:127.0.0.1]'],
  ];

  it.each(inside)('must not point to %s', (host) => {
    expect(checkTargetUrl(`https://${host}/`, closed)).toBe(NOT_PUBLIC);
    expect(checkTargetUrl(`https://${host}:8443/hook`, closed)).toBe(NOT_PUBLIC);
  });

  it('may point to any host when private networks are allowed', () => {
    for (const host of inside) expect(checkTargetUrl(`https://${host}/`, open)).toBeUndefined();
  });

  it('may be http when private networks are allowed, unless it names a public address', () => {
    for (const host of inside) expect(checkTargetUrl(`http://${host}/`, open)).toBeUndefined();
    for (const host of ['receiver', 'receiver.test:4000', 'example.com']) {
      expect(checkTargetUrl(`http://${host}/`, open)).toBeUndefined();
    }
    for (const host of ['8.8.8.8', '134744072', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]']) {
      expect(checkTargetUrl(`http://${host}/`, open)).toBe(PUBLIC_NEEDS_HTTPS);
    }
    expect(checkTargetUrl('http://a..b/', open)).toBe(NOT_HTTPS);
  });

  it('must be https otherwise, also with allowed ranges', () => {
    const policy = { ...closed, allow: parseCidrs('10.0.0.0/8') };
    for (const host of ['example.com', '8.8.8.8']) expect(checkTargetUrl(`http://${host}/`, closed)).toBe(NOT_HTTPS);
    for (const host of ['localhost:4000', '10.0.0.1', '[::1]', 'hooks.internal']) {
      for (const strict of [closed, policy]) {
        expect(checkTargetUrl(`http://${host}/`, strict)).toMatch(
          /^url must be an absolute https URL\. .*WEBHOOK_ALLOW_PRIVATE/,
        );
      }
    }
  });

  it('has a host name that must be resolved only if it is http', () => {
    expect(plainHostName('http://Receiver.test:4000/')).toBe('receiver.test');
    for (const url of ['http://127.1/', 'http://[::1]/', 'https://receiver.test/']) {
      expect(plainHostName(url)).toBeUndefined();
    }
  });

  it('may point to the allowed ranges, also by names of a private network', () => {
    const policy = { ...closed, allow: parseCidrs('10.0.0.0/8') };
    for (const host of ['10.1.2.3', '0xa.1', 'hooks.internal', 'printer.local']) {
      expect(checkTargetUrl(`https://${host}/`, policy)).toBeUndefined();
    }
    for (const host of ['localhost', '192.168.1.1', '[::ffff:10.0.0.1]']) {
      expect(checkTargetUrl(`https://${host}/`, policy)).toBe(NOT_PUBLIC);
    }
    expect(checkTargetUrl('https://localhost/', { ...closed, allow: parseCidrs('::1') })).toBeUndefined();
  });

  it('must not point to an address in 127.0.0.0/8, in any notation', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const written = (n: number) => fc.constantFrom(String(n), `0x${n.toString(16)}`, `0${n.toString(8)}`);
    const host = fc.tuple(byte, byte, byte).chain(([b, c, d]) =>
      fc.oneof(
        fc.tuple(written(127), written(b), written(c), written(d)).map((parts) => parts.join('.')),
        fc.tuple(written(127), written(b), written((c << 8) | d)).map((parts) => parts.join('.')),
        fc.tuple(written(127), written((b << 16) | (c << 8) | d)).map((parts) => parts.join('.')),
        written(0x7f000000 + ((b << 16) | (c << 8) | d)),
      ),
    );
    fc.assert(fc.property(host, (name) => checkTargetUrl(`https://${name}/`, closed) === NOT_PUBLIC));
  });

  it('can be any value without an exception', () => {
    fc.assert(fc.property(fc.anything(), (value) => checkTargetUrl(value, closed) !== undefined));
    fc.assert(
      fc.property(
        fc.webUrl({ validSchemes: ['https'], withFragments: false }),
        (url) => checkTargetUrl(url, closed) === undefined,
      ),
    );
  });
});

import fc from 'fast-check';
import { AddressPolicy, isAllowedAddress, isPublicAddress, parseCidrs } from './address.js';

const closed: AddressPolicy = { allowPrivateNetworks: false, allow: [] };

/** First, last or typical addresses of every range that is not globally reachable unicast. */
const NOT_PUBLIC = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ...[
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.0',
    '172.31.255.255',
  ],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  '168.63.129.16',
  ...[
    '::',
    '::1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:7f00:1',
    '::ffff:0:808:808',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::1',
    '64:ff9b:1::808:808',
    '100::1',
    '100:0:0:1::1',
    '200::1',
    '1fff::1',
  ],
  ...[
    '2001::1',
    '2001:0:53aa:64c:0:fbff:3f57:fe6b',
    '2001:1::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
  ],
  ...['2001:1ff:ffff::1', '2001:db8::1', '2002:7f00:1::', '2002:a00:1::1', '3fff::1', '3fff:fff:ffff::1', '4000::1'],
  ...['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '2001:200::1', '2001:4860:4860::8888', '2606:4700:4700::1111', '2a00::1', '3ffe:ffff::1'],
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::808:808', '2002:808:808::1'],
];

describe('public addresses', () => {
  it.each(NOT_PUBLIC)('do not include %s', (ip) => expect(isPublicAddress(ip)).toBe(false));
  it.each(PUBLIC)('include %s', (ip) => expect(isPublicAddress(ip)).toBe(true));

  it.each([
    '',
    ' ',
    'localhost',
    '1',
    '134744072',
    '0x8.8.8.8',
    '010.8.8.8',
    '8.8.8',
    '8.8.8.8 ',
    '8.8.8.8/32',
    '[2a00::1]',
  ])('do not include text that is not a canonical address: "%s"', (ip) => expect(isPublicAddress(ip)).toBe(false));

  it('do not include addresses with a zone', () => {
    expect(isPublicAddress('2a00::1%eth0')).toBe(false);
    expect(isPublicAddress('fe80::1%1')).toBe(false);
  });

  it('include the routable IPv6 forms of an IPv4 address if it is public, and no other form', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const group = (high: number, low: number) => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const isPublic = isPublicAddress([a, b, c, d].join('.'));
        const v4 = `${group(a, b)}:${group(c, d)}`;
        for (const form of [`::ffff:${v4}`, `64:ff9b::${v4}`, `2002:${v4}::1`])
          expect(isPublicAddress(form)).toBe(isPublic);
        for (const form of [`::${v4}`, `::ffff:0:${v4}`, `64:ff9b:1::${v4}`]) expect(isPublicAddress(form)).toBe(false);
      }),
    );
  });

  it('include no text that is not an address, and no text throws', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text) || /^[\d.]+$|:/.test(text)));
    fc.assert(fc.property(fc.ipV6(), (ip) => typeof isPublicAddress(ip) === 'boolean'));
  });
});

describe('an address policy', () => {
  it('allows only public addresses by default', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => isAllowedAddress(ip, closed) === isPublicAddress(ip)),
    );
  });

  it('allows the listed ranges in addition to public addresses', () => {
    const policy = { ...closed, allow: parseCidrs('10.1.0.0/16, fd00:1::/32,192.168.1.5') };
    for (const ip of ['10.1.255.255', 'fd00:1::7', '192.168.1.5', '8.8.8.8'])
      expect(isAllowedAddress(ip, policy)).toBe(true);
    for (const ip of ['10.2.0.0', 'fd00:2::7', '192.168.1.6', '127.0.0.1', '::ffff:10.1.0.1']) {
      expect(isAllowedAddress(ip, policy)).toBe(false);
    }
  });

  it('with allowPrivateNetworks allows every address, but no other text', () => {
    const policy = { ...closed, allowPrivateNetworks: true };
    for (const ip of NOT_PUBLIC) expect(isAllowedAddress(ip, policy)).toBe(true);
    for (const text of ['', 'localhost', '0x7f.1']) expect(isAllowedAddress(text, policy)).toBe(false);
  });
});

describe('a list of CIDR ranges', () => {
  it('may be empty', () => {
    expect(parseCidrs('')).toEqual([]);
    expect(parseCidrs(' , ')).toEqual([]);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0/8', '10.0.0.0/8/8', '::/129', 'all', '10.0.0.0/0x8', '/8'])(
    'is refused with an error that names the invalid item: %s',
    (item) => expect(() => parseCidrs(`127.0.0.1, ${item}`)).toThrow(`"${item}" is not a CIDR range.`),
  );
});

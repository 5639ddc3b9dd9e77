import { canonicalEmail, faultOfEmail, isEmail, needsQuotes, withoutTag } from './email.js';

describe('an email address', () => {
  it.each([
    'ada@example.com',
    'ada+news@example.com',
    'info@münchen.example',
    'info@mu\u0308nchen.example',
    'info@xn--mnchen-3ya.example',
    'grüße@example.com',
    '"vic"@example.com',
    '"a b"@example.com',
  ])('can be %s', (text) => {
    expect(faultOfEmail(text)).toBeUndefined();
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.com.',
    'ada@example..com',
    'ada..b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'ada(comment)@example.com',
    'ada@[192.0.2.1]',
    'ada@192.0.2.1',
    'ada@xn--a.example',
    'ada@\u0301a.example',
    'ada@b@example.com',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    '\ud800@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('cannot be %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it.each([
    ['ada\u200b@example.com', 'a zero width space at position 4'],
    ['\ufeffada@example.com', 'a byte order mark at position 1'],
    ['ada@exam\u200fple.com', 'a right-to-left mark at position 9'],
    ['a\u00adda@example.com', 'a soft hyphen at position 2'],
    ['ada\u3164@example.com', 'a Hangul filler at position 4'],
    ['ada\u2003b@example.com', 'a white space at position 4'],
    ['ada@exa\u3000mple.com', 'a white space at position 8'],
    ['ada@example.com\u{e0041}', 'an invisible character (U+E0041) at position 16'],
    ['ada@example.com\n', 'a line break at position 16'],
    ['\u{1f600}\u{1f600}\u2060@example.com', 'a word joiner at position 3'],
  ])('contains no character that cannot be seen: %j', (text, what) => {
    const fault = `must be an email address without invisible characters, but contains ${what}`;
    expect(faultOfEmail(text)).toBe(fault);
  });
});

describe('the canonical form of an email address', () => {
  const isSame = (one: string, other: string) => canonicalEmail(one) === canonicalEmail(other);

  it.each([
    ['ada@example.com', 'Ada@EXAMPLE.com'],
    ['ada@example.com', ' ada@example.com '],
    ['ada@example.com', '"ada"@example.com'],
    ['ada@example.com', '"\\ada"@example.com'],
    ['ada@example.com', '"a\\d\\a"@Example.com'],
    ['"a b"@example.com', '"a\\ B"@example.com'],
    ['"a\\"b"@example.com', '"\\a\\"b"@example.com'],
    ['info@münchen.example', 'info@xn--mnchen-3ya.example'],
    ['info@münchen.example', 'info@XN--MNCHEN-3YA.Example'],
    ['info@münchen.example', 'info@mu\u0308nchen.example'],
    ['info@MÜNCHEN.example', 'info@MU\u0308NCHEN.example'],
    ['info@münchen.köln.example', 'info@xn--mnchen-3ya.köln.example'],
    ['info@exa。mple.com', 'info@exa.mple.com'],
    ['grüße@example.com', 'GRU\u0308ßE@example.com'],
  ])('is the same for %j and %j', (one, other) => {
    expect(isSame(one, other)).toBe(true);
    expect(canonicalEmail(canonicalEmail(one))).toBe(canonicalEmail(one));
  });

  it.each([
    ['ada@example.com', 'ada+news@example.com'],
    ['a.da@example.com', 'ada@example.com'],
    ['muller@example.com', 'müller@example.com'],
    ['info@strasse.example', 'info@straße.example'],
    ['"a b"@example.com', 'ab@example.com'],
    ['"a@b"@example.com', 'a@b.example.com'],
  ])('differs for %j and %j', (one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it('is the text in lower case where it is not an address', () => {
    expect([canonicalEmail(' Nobody '), canonicalEmail(''), canonicalEmail('a@xn--A')]).toEqual([
      'nobody',
      '',
      'a@xn--a',
    ]);
  });

  it('has no tag where a mailbox is meant', () => {
    expect(withoutTag('Ada+News@Example.com')).toBe('ada@example.com');
    expect(withoutTag('"\\ada+a@b"@example.com')).toBe('ada@example.com');
    expect(withoutTag('+1@example.com')).toBe('+1@example.com');
  });

  it('says whether the local part needs quotation marks', () => {
    for (const address of ['"vic"@x.example', '"\\vic"@x.example', 'grüße@x.example', "o'neil+a.b@x.example"]) {
      expect(needsQuotes(address)).toBe(false);
    }
    for (const local of ['"a b"', '""', '"a@b"', '"a..b"', '".a"', '"a\\"b"', '"a,b"', '"a\\\\b"']) {
      expect(needsQuotes(`${local}@x.example`)).toBe(true);
    }
  });
});

import { Problem } from '../../errors/problem.js';
import { Passwords } from './passwords.js';

const ADDRESS = { stranger: '203.0.113.7' };
const ADA = { email: 'Ada.Byron@Example.com', name: 'Ada King' };

describe('passwords', () => {
  const passwords = new Passwords();

  it('are stored as Argon2id with the parameters that OWASP recommends, each with a salt of its own', async () => {
    const hashes = await Promise.all([1, 2].map(() => passwords.hash('correct horse', ADDRESS)));
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('are verified', async () => {
    const hash = await passwords.hash('correct horse', ADDRESS);
    expect(await passwords.verify(hash, 'correct horse', ADDRESS)).toBe(true);
    expect(await passwords.verify(hash, 'correct horsE', ADDRESS)).toBe(false);
    expect(await passwords.verify(hash, '', ADDRESS)).toBe(false);
    expect(await passwords.verify(undefined, 'correct horse', ADDRESS)).toBe(false);
  });

  it('are the same in each way of writing a character', async () => {
    const hash = await passwords.hash('cafe\u0301 No \u2460', ADDRESS);
    expect(await passwords.verify(hash, 'caf\u00e9 No 1', ADDRESS)).toBe(true);
  });

  it('take the same time for an account that does not exist', async () => {
    const hash = await passwords.hash('correct horse', ADDRESS);
    const times: Record<string, number[]> = { known: [], unknown: [], long: [] };
    const time = async (name: string, stored: string | undefined, password: string) => {
      const began = performance.now();
      await passwords.verify(stored, password, ADDRESS);
      times[name]!.push(performance.now() - began);
    };
    for (let round = 0; round < 15; round++) {
      await time('known', hash, 'wrong password');
      await time('unknown', undefined, 'wrong password');
      await time('long', hash, 'x'.repeat(100_000));
    }
    // The least of several times is that without what else the machine does.
    const [known = 0, unknown = 0, long = 0] = Object.values(times).map((all) => Math.min(...all));
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.6);
    expect(long / known).toBeGreaterThan(0.6);
    expect(long / known).toBeLessThan(1.6);
  });

  it('of one address wait for each other, and another address does not wait for all of them', async () => {
    const order: string[] = [];
    const crowd = Array.from({ length: 20 }, () =>
      passwords.verify(undefined, 'password', ADDRESS).then(() => order.push('crowd')),
    );
    const other = passwords.verify(undefined, 'password', { stranger: '203.0.113.8' }).then(() => order.push('other'));
    await Promise.all([...crowd, other]);
    expect(order.indexOf('other')).toBeLessThan(15);
  });

  it('of one network of IPv6 are those of one address, and what cannot wait is refused', async () => {
    const attempts = Array.from({ length: 30 }, (_, index) =>
      passwords.verify(undefined, 'password', { stranger: `2001:db8::${index + 1}` }),
    );
    const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(Problem);
      expect(reason).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    }
  });

  it('of an account do not wait for those of strangers', async () => {
    const order: string[] = [];
    const strangers = Array.from({ length: 20 }, (_, index) =>
      passwords.verify(undefined, 'password', { stranger: `192.0.2.${index}` }).then(() => order.push('stranger')),
    );
    const account = passwords.verify(undefined, 'password', { account: 'ada' }).then(() => order.push('account'));
    await Promise.all([...strangers, account]);
    expect(order.indexOf('account')).toBeLessThan(8);
  });

  it('of many addresses cannot all wait', async () => {
    const attempts = Array.from({ length: 200 }, (_, index) =>
      passwords.verify(undefined, 'password', { stranger: `198.51.${index >> 8}.${index & 255}` }),
    );
    const states = await Promise.allSettled(attempts);
    expect(states.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(48);
  });
});

describe('a password', () => {
  const passwords = new Passwords();
  const refusal = (password: string, identity: { email: string; name?: string } = ADA) =>
    passwords.refusalOf(password, identity);

  it.each([
    'correct horse',
    'sn0wy-Owl-in-May',
    'жёлтая-лодка',
    'ein Haus am See',
    '🦉🦊🐻🐼🦁🐯🐨🐸',
    'kettle teapot ada',
    '\u00e9'.repeat(4) + 'xyz9',
    'the quick brown fox '.repeat(12),
  ])('may be %s', async (password) => expect(await refusal(password)).toBeUndefined());

  it.each([
    ['too few letters', 'short12'],
    ['too few digits', '1234567'],
    ['nothing', ''],
    ['two characters with many marks', `x${'\u0301'.repeat(4)}y`],
    ['257 characters', `${'abcdefgh'.repeat(32)}i`],
    ['100,000 characters', 'ab'.repeat(50_000)],
  ])('must have 8 to 256 characters, and not %s', async (_, password) =>
    expect(await refusal(password)).toBe('The password must have 8 to 256 characters.'),
  );

  it('may have 256 characters of any alphabet', async () => {
    for (const part of ['ab1+', '\u{1F989}\u{1F98A}\u{1F43B}x']) expect(await refusal(part.repeat(64))).toBeUndefined();
  });

  it.each([
    'password',
    'Password1',
    'PASSWORD123',
    'password1!',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'letmein2024',
    'ｐａｓｓｗｏｒｄ',
    'aaaaaaaaaaaaaaa',
    '1212121212121212',
    'trustno1',
  ])('must not be common, as %s is', async (password) =>
    expect(await refusal(password)).toBe(
      'The password is one of those that are tried first. Choose a less common one.',
    ),
  );

  it.each(['ada.byron@example.com', 'my ADA.BYRON is it', 'x-adabyron-x', 'Ａｄａ.Byron!'])(
    'must not contain the address, as %s does',
    async (password) => expect(await refusal(password)).toBe('The password must not contain the email address.'),
  );

  it.each(['ada king 1815', '--ADAKING--'])('must not contain the name, as %s does', async (password) =>
    expect(await refusal(password)).toBe('The password must not contain the name.'),
  );

  it('may contain a name or local part of fewer than four characters', async () => {
    expect(await refusal('bob likes tea', { email: 'bob@example.com', name: 'Bob' })).toBeUndefined();
    expect(await refusal('bob@example.com', { email: 'bob@example.com' })).toMatch(/email address/);
    expect(await refusal('kettle and tea', { email: '@', name: '' })).toBeUndefined();
  });
});

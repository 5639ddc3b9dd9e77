import { startApp, type TestApp } from '../support/app.js';
import { Passwords } from '../../src/people/passwords/passwords.js';
import { makePerson, signIn } from '../support/people.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

describe('guessing passwords', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const from = (address: string) => app.client(undefined, { 'X-Forwarded-For': address });

  it('waits after five failures of an account, except on networks from which the person has signed in', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const home = { 'X-Forwarded-For': '203.0.113.1' };
    await signIn(app, person, home);
    const guess = (network: number) =>
      from(`198.51.100.${network}`).post('/v1/sessions', { email: person.email, password: `guess ${network}` });
    for (let network = 1; network <= 5; network++) await guess(network).expect(401);
    const { headers, body } = await guess(6).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(body.code).toBe('rate_limited');
    // Whoever knows the password waits too, elsewhere.
    await from('198.51.100.8').post('/v1/sessions', { email: person.email, password: person.password }).expect(429);
    await signIn(app, person, home);
  });

  it('is limited for accounts that do not exist in the same way', async () => {
    const guess = (network: number) =>
      from(`192.0.2.${network}`).post('/v1/sessions', { email: 'Nobody@Example.com ', password: `guess ${network}` });
    for (let network = 1; network <= 5; network++) await guess(network).expect(401);
    await guess(6).expect(429);
  });

  it('at once from many networks checks five passwords, as one after the other does', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const guess = (network: number) =>
      from(`100.64.${network}.1`).post('/v1/sessions', { email: person.email, password: `guess ${network}` });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, network) => guess(network)));
    const checked = answers.filter(({ status }) => status === 401);
    expect([checked.length, answers.filter(({ status }) => status === 429).length]).toEqual([5, 55]);
  });

  it('by hundreds of strangers at once keeps nobody out on a network from which they have signed in', async () => {
    expectServerErrors(503);
    const person = await makePerson(app, [app.tenant().id]);
    const home = { 'X-Forwarded-For': '203.0.113.77' };
    await signIn(app, person, home);
    const strangers = Array.from({ length: 400 }, (_, index) =>
      from(`100.${65 + (index >> 8)}.${index & 255}.1`).post('/v1/sessions', {
        email: `stranger${index}@example.com`,
        password: 'right horse',
      }),
    );
    const flood = Promise.all(strangers.map(async (one) => (await one).status));
    await until(() => Promise.resolve(app.get(Passwords).waitingStrangers >= 150));
    await signIn(app, person, home);
    expect(app.get(Passwords).waitingStrangers).toBeGreaterThan(0);
    expect(new Set(await flood)).toEqual(new Set([401, 503]));
  });

  it('of many accounts from one address waits, even for a right password', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const visitor = from('203.0.113.9');
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) {
      const { status } = await visitor.post('/v1/sessions', {
        email: `a${count}@example.com`,
        password: 'right horse',
      });
      statuses.push(status);
    }
    expect(statuses.slice(0, 20)).toEqual(statuses.slice(0, 20).map(() => 401));
    expect(statuses[20]).toBe(429);
    await visitor.post('/v1/sessions', { email: person.email, password: person.password }).expect(429);
  });
});

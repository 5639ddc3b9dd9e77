import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { Database } from '../../src/database/database.js';
import { Letters } from '../../src/mail/letters/letters.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { MailTransports } from '../../src/mail/transports/mail-transports.js';
import { Mails } from '../../src/mail/mails.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { newInvitation, storedLetter, tablesWith, writeLetter } from '../support/letters.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const TIMES = { schedule: [50, 50, 50], attempt: 5_000, lease: 6_000, grace: 5_000 };

describe('a letter', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({ SMTP_URL: server.url, MAIL_FROM: 'Acme <office@acme.example>' });
    Object.assign(app.get(MailTimes), TIMES);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  const settled = (letter: Parameters<typeof storedLetter>[1], status: string) =>
    until(async () => {
      const row = await storedLetter(app.database, letter);
      return row?.status === status && row;
    });
  /** Lets the mail server wait before it answers for the address; returns what lets it go on. */
  function hold(address: string): (answer: 'take') => void {
    let take: (answer: 'take') => void = () => undefined;
    const answer = new Promise<'take'>((resolve) => (take = resolve));
    server.answer(address, () => answer);
    return take;
  }

  it('is sent once after the commit, and not if the transaction is rolled back', async () => {
    const tenant = app.tenant();
    const [sent, lost] = [newInvitation(tenant), newInvitation(tenant)];
    const rolledBack = app.get(Database).transaction(tenant.id, async (transaction) => {
      await app.get(Letters).write(transaction, tenant.id, lost.letter);
      throw new Error('Rolled back');
    });
    await expect(rolledBack).rejects.toThrow('Rolled back');
    await writeLetter(app, sent);
    const [mail] = await server.until(sent.address, 1);
    expect(['From', 'To', 'Subject', 'Auto-Submitted'].map((name) => mail?.header(name))).toEqual([
      'Acme <office@acme.example>',
      `Ada Lovelace <${sent.address}>`,
      'Grace Hopper invites you to Acme Magazine',
      'auto-generated',
    ]);
    expect(mail?.text.split('\n')).toContain(sent.letter.url);
    expect(mail?.html).toContain(`href="${sent.letter.url}"`);
    await settled(sent, 'sent');
    expect(server.received(sent.address)).toHaveLength(1);
    expect(server.attempts(lost.address)).toBe(0);
  });

  it('is stored encrypted while it waits, and only its result afterwards', async () => {
    const tenant = app.tenant();
    const waiting = newInvitation(tenant);
    const take = hold(waiting.address);
    await writeLetter(app, waiting);
    await until(() => Promise.resolve(server.attempts(waiting.address) > 0));
    for (const text of [waiting.token, waiting.address, 'lovelace', 'Grace Hopper']) {
      expect([text, await tablesWith(app.database, text)]).toEqual([text, []]);
    }
    // The search finds what is there.
    expect(await tablesWith(app.database, waiting.letter.id)).toEqual(['letters']);
    expect((await storedLetter(app.database, waiting))?.content).toMatch(/^v1\.[0-9a-f]{8}\./);
    take('take');
    const row = await settled(waiting, 'sent');
    expect(row).toMatchObject({ attempts: 1, content: null, recipient: null, last_error: null, next_attempt_at: null });
  });

  it('that is refused is sent again as the same email, and the reason is stored without the address', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn');
    const refused = newInvitation(app.tenant());
    server.answer(refused.address, (attempt) => (attempt < 3 ? { message: 451 } : 'take'));
    await writeLetter(app, refused);
    const mails = await server.until(refused.address, 1);
    expect(mails).toHaveLength(3);
    expect(new Set(mails.map((mail) => mail.header('Message-ID'))).size).toBe(1);
    expect(new Set(mails.map((mail) => mail.header('Date'))).size).toBe(1);
    expect(await settled(refused, 'sent')).toMatchObject({ attempts: 3, content: null });
    expect(await tablesWith(app.database, refused.address)).toEqual([]);
    expect(JSON.stringify(log.mock.calls)).not.toMatch(new RegExp(`${refused.address}|${refused.token}`));
  });

  it.each([
    ['permanently', { recipient: 550 }, 1],
    ['at every attempt', { recipient: 450 }, 4],
  ])('that is refused %s has failed, and keeps nothing', async (_how, answer, attempts) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const refused = newInvitation(app.tenant());
    server.answer(refused.address, () => answer);
    await writeLetter(app, refused);
    expect(await settled(refused, 'failed')).toMatchObject({ attempts, content: null, recipient: null });
    const lines = JSON.stringify(log.mock.calls);
    expect(lines).toContain('"letter":"invitation"');
    expect(lines).not.toMatch(new RegExp(`${refused.address}|lovelace|${refused.token}`, 'i'));
  });

  it('that is canceled is not sent, also if an attempt has begun and fails', async () => {
    const tenant = app.tenant();
    const database = app.get(Database);
    const [later, running, other] = [newInvitation(tenant), newInvitation(tenant), newInvitation(tenant)];
    let refuse: (answer: { recipient: number }) => void = () => undefined;
    const answer = new Promise<{ recipient: number }>((resolve) => (refuse = resolve));
    server.answer(running.address, () => answer);
    await database.transaction(tenant.id, async (transaction) => {
      await app.get(Letters).write(transaction, tenant.id, later.letter);
      await app.get(Letters).cancel(transaction, tenant.id, [later.letter.id]);
    });
    await writeLetter(app, running);
    await until(() => Promise.resolve(server.attempts(running.address) > 0));
    await app.get(Letters).cancel(database, tenant.id, [running.letter.id]);
    refuse({ recipient: 450 });
    await writeLetter(app, other);
    await server.until(other.address, 1);
    const canceled = { status: 'canceled', content: null, recipient: null, next_attempt_at: null };
    for (const one of [later, running]) expect(await storedLetter(app.database, one)).toMatchObject(canceled);
    expect(server.attempts(later.address)).toBe(0);
    expect(server.attempts(running.address)).toBe(1);
  });

  it('to an address is canceled for one tenant, whatever the spelling of the address', async () => {
    const [tenant, otherTenant] = [app.tenant(), app.tenant()];
    const mine = newInvitation(tenant);
    const other = newInvitation(otherTenant, { to: mine.letter.to });
    server.answer(mine.address, () => ({ recipient: 450 }));
    await writeLetter(app, mine);
    await writeLetter(app, other);
    const database = app.get(Database);
    await app.get(Letters).cancelTo(database, tenant.id, `  ${mine.address.toUpperCase()}`);
    expect(await settled(mine, 'canceled')).toMatchObject({ content: null });
    server.answer(mine.address, () => 'take');
    await settled(other, 'sent');
  });

  it('whose link is no longer valid is canceled', async () => {
    const late = newInvitation(app.tenant(), { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    await writeLetter(app, late);
    await settled(late, 'canceled');
    expect(server.attempts(late.address)).toBe(0);
  });

  it('of another tenant cannot be canceled', async () => {
    const foreign = newInvitation(app.tenant());
    const take = hold(foreign.address);
    await writeLetter(app, foreign);
    await app.get(Letters).cancel(app.get(Database), app.tenant().id, [foreign.letter.id]);
    take('take');
    await settled(foreign, 'sent');
  });

  it('that was settled a month ago is deleted when another one is written', async () => {
    const tenant = app.tenant();
    const [old, recent] = [newInvitation(tenant), newInvitation(tenant)];
    for (const one of [old, recent]) {
      await writeLetter(app, one);
      await settled(one, 'sent');
    }
    await app.database.query(`UPDATE letters SET finished_at = now() - interval '31 days' WHERE id = $1`, [
      old.letter.id,
    ]);
    await writeLetter(app, newInvitation(tenant));
    expect(await storedLetter(app.database, old)).toBeUndefined();
    expect(await storedLetter(app.database, recent)).toBeDefined();
  });

  it('is kept when no worker runs, and sent once by the next process that works', async () => {
    const database = await createDatabase();
    const env = { TENANTS: JSON.stringify([{ id: 'ten_kept', name: 'Kept', api_keys: [{ key: 'kept-key' }] }]) };
    const common = { ...env, SMTP_URL: server.url, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
    const kept = newInvitation({ id: 'ten_kept' });
    const api = await startApp({ ...common, ROLE: 'api' }, { database });
    await writeLetter(api, kept);
    // A worker that ended during its attempt.
    const claimed = await api.get(Mails).claim('ten_kept', 'letters', 5, 60_000);
    expect(claimed).toMatchObject([{ id: kept.letter.id, attempts: 0 }]);
    await api.close();
    await database.query('UPDATE letters SET claimed_until = now() WHERE id = $1', [kept.letter.id]);
    expect(server.attempts(kept.address)).toBe(0);
    const worker = await startApp(common, { database });
    await server.until(kept.address, 1);
    await until(async () => (await storedLetter(database, kept))?.status === 'sent');
    await worker.close();
    await database.drop();
    expect(server.received(kept.address)).toHaveLength(1);
  });

  describe('without SMTP_URL', () => {
    let other: TestApp;
    beforeAll(async () => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      other = await startApp();
    });
    afterAll(() => other.close());
    const files = () => readdir(join(other.config.dataDir, 'mails')).catch(() => []);

    it('is a file, which is removed when the letter is canceled', async () => {
      const tenant = other.tenant();
      const one = newInvitation(tenant);
      await writeLetter(other, one);
      await until(async () => (await storedLetter(other.database, one))?.status === 'sent');
      expect(await files()).toEqual([expect.stringMatching(/^mail_\w{26}\.eml$/)]);
      await other.get(Letters).cancel(other.get(Database), tenant.id, [one.letter.id]);
      expect(await files()).toEqual([]);
    });

    it('leaves no file if it is canceled while the file is written', async () => {
      const tenant = other.tenant();
      const one = newInvitation(tenant);
      const transport = other.get(MailTransports).current;
      let isWritten = false;
      const send = transport.send.bind(transport);
      jest.spyOn(transport, 'send').mockImplementation(async (message, signal) => {
        await other.get(Letters).cancelTo(other.get(Database), tenant.id, one.address);
        await send(message, signal);
        isWritten = (await files()).length > 0;
      });
      await writeLetter(other, one);
      await until(async () => isWritten && (await files()).length === 0);
      expect(await storedLetter(other.database, one)).toMatchObject({ status: 'canceled', attempts: 0 });
    });
  });
});

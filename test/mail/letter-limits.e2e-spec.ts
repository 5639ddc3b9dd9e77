import { randomUUID } from 'node:crypto';
import { LetterLimits } from '../../src/mail/letters/letter-limits.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { startApp, type TestApp } from '../support/app.js';
import { newInvitation, storedLetter, tablesWith, writeLetter } from '../support/letters.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const address = () => `ada.${randomUUID()}@people.example`;

describe('the limits of letters', () => {
  let app: TestApp;
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({ SMTP_URL: server.url });
    Object.assign(app.get(MailTimes), { schedule: [50, 50, 50] });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  const invite = (tenantId: string, to: string) => app.get(LetterLimits).refusalOfInvitation(tenantId, to);
  const inParallel = <Result>(count: number, task: () => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, task));

  it('let a tenant invite an address three times an hour, however many requests run at once', async () => {
    const [tenant, other, to] = [app.tenant(), app.tenant(), address()];
    const refusals = await inParallel(20, () => invite(tenant.id, to));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(3);
    const reason = 'The address was sent three invitations within the last hour.';
    expect(refusals).toContainEqual({ reason, retryAfter: 3_600 });
    expect(await invite(tenant.id, `  ${to.toUpperCase()}`)).toMatchObject({ reason });
    // Neither another tenant nor another address notices.
    expect(await invite(other.id, to)).toBeUndefined();
    expect(await invite(tenant.id, to.replace('@', '+tag@'))).toBeUndefined();
    expect(await tablesWith(app.database, to)).toEqual([]);
    await app.database.query(`UPDATE address_hours SET until = now() - interval '1 second'`);
    expect(await invite(tenant.id, to)).toBeUndefined();
  });

  it('let a tenant send 1,000 invitations a day', async () => {
    const tenant = app.tenant();
    await invite(tenant.id, address());
    await app.database.query('UPDATE mail_days SET mails = 995 WHERE tenant_id = $1', [tenant.id]);
    const refusals = await inParallel(12, () => invite(tenant.id, address()));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(5);
    const refusal = refusals.find((one) => one !== undefined);
    expect(refusal?.reason).toBe('The tenant has sent the invitations that it may send on one day.');
    expect(refusal?.retryAfter).toBeGreaterThan(0);
    expect(refusal?.retryAfter).toBeLessThanOrEqual(86_400);
    expect(await invite(app.tenant().id, address())).toBeUndefined();
    await app.database.query('UPDATE mail_days SET day = day - 1 WHERE tenant_id = $1', [tenant.id]);
    expect(await invite(tenant.id, address())).toBeUndefined();
  });

  it('let three passwords be reset in an hour for an address, and count them apart from invitations', async () => {
    const to = address();
    await inParallel(3, () => invite(app.tenant().id, to));
    const allowed = await inParallel(20, () => app.get(LetterLimits).mayReset(to));
    expect(allowed.filter(Boolean)).toHaveLength(3);
    expect(await app.get(LetterLimits).mayReset(to.toUpperCase())).toBe(false);
    expect(await app.get(LetterLimits).mayReset(address())).toBe(true);
  });

  it('let a tenant request twenty reviews of a person in an hour', async () => {
    const [tenant, to] = [app.tenant(), address()];
    const allowed = await inParallel(30, () => app.get(LetterLimits).mayRequestReview(tenant.id, to));
    expect(allowed.filter(Boolean)).toHaveLength(20);
    expect(await app.get(LetterLimits).mayRequestReview(app.tenant().id, to)).toBe(true);
  });

  it('let an invitation wait, without a reason, if all tenants together invite a mailbox too often', async () => {
    const invitation = newInvitation(app.tenant());
    for (let count = 0; count < 10; count++) {
      const tagged = invitation.address.replace('@', `+${count}@`);
      expect(await app.get(LetterLimits).mustWait(tagged)).toBe(false);
    }
    Object.assign(app.get(MailTimes), { schedule: [50, 60_000] });
    await writeLetter(app, invitation);
    const waiting = await until(async () => {
      const row = await storedLetter(app.database, invitation);
      return row?.attempts === 2 && row;
    });
    expect(waiting).toMatchObject({ status: 'pending', last_error: null });
    expect(server.attempts(invitation.address)).toBe(0);
    await app.database.query('DELETE FROM address_hours');
    await app.database.query('UPDATE letters SET next_attempt_at = now() WHERE id = $1', [invitation.letter.id]);
    await server.until(invitation.address, 1);
  });
});

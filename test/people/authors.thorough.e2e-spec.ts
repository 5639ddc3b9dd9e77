import { startApp, type TestApp } from '../support/app.js';
import { formatId } from '../../src/ids/type-id.js';
import { inSession, makePerson, signIn, type TestPerson } from '../support/people.js';

const memberOf = ({ members: [id = ''] }: TestPerson) => formatId('usr', id);

describe('what a person did', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('has their name of today, and that of a former member when they are gone', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id], 'editor');
    const { http } = await signIn(app, person);
    const TYPES = `/v1/content/${tenant.id}/types`;
    await tenant.http.post(TYPES, { name: 'Post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    const { body: entry } = await http.post(`${TYPES}/post/entries`, { fields: { title: 'One' } }).expect(201);
    const path = `${TYPES}/post/entries/${entry.data.id}`;
    await http.put(`${path}/draft/review`, { note: 'Please look' }).expect(200);
    await http.patch('/v1/me', { name: 'Grace Hopper' }).expect(200);

    const namesNow = async () => {
      const versions = await tenant.http.get(`${path}/versions`).expect(200);
      const version = await tenant.http.get(`${path}/versions/1`).expect(200);
      const draft = await tenant.http.get(`${path}/draft`).expect(200);
      const drafts = await tenant.http.get(`/v1/content/${tenant.id}/drafts?review=true`).expect(200);
      const audit = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${entry.data.id}`).expect(200);
      return {
        by: versions.body.data[0].by,
        user: versions.body.data[0].by_user,
        version: version.body.data.by,
        review: draft.body.data.review.by,
        listed: drafts.body.data[0].review.by,
        actors: audit.body.data.map(({ actor }: { actor: object }) => actor),
      };
    };
    const user_id = (await http.get('/v1/me').expect(200)).body.data.user.id;
    const shownAs = (name: string) => ({
      by: name,
      user: user_id,
      version: name,
      review: name,
      listed: name,
      actors: [
        { user_id, name },
        { user_id, name },
      ],
    });
    expect(await namesNow()).toEqual(shownAs('Grace Hopper'));
    const actorsOf = await tenant.http.get(`/v1/audit/${tenant.id}?actor=${user_id}`).expect(200);
    expect(actorsOf.body.data.length).toBeGreaterThanOrEqual(2);
    await tenant.http.delete(`/v1/users/${tenant.id}/${user_id}`).expect(200);
    expect(await namesNow()).toEqual(shownAs('former member'));
    // Nothing that is stored has the name.
    const { rows } = { rows: await app.database.query<{ text: string }>('SELECT summary AS text FROM versions') };
    expect(rows.some(({ text }) => text.includes('Grace'))).toBe(false);
  });

  it.each(['is removed', 'has another name'])('is not told by a kept answer after the person %s', async (change) => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id], 'editor');
    const { cookie, http: own } = await signIn(app, person);
    await own.patch('/v1/me', { name: 'Grace "Amazing" Hopper' }).expect(200);
    const TYPES = `/v1/content/${tenant.id}/types`;
    await tenant.http.post(TYPES, { name: 'Post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    const { body: entry } = await own.post(`${TYPES}/post/entries`, { fields: { title: 'One' } }).expect(201);
    const http = inSession(app, cookie, { 'Idempotency-Key': 'review-of-grace' });
    await http.put(`${TYPES}/post/entries/${entry.data.id}/draft/review`, { note: 'Please look' }).expect(200);
    const naming = () =>
      app.database.query(`SELECT FROM stored_responses WHERE tenant_id = $1 AND body LIKE '%Grace%'`, [tenant.id]);
    expect(await naming()).toHaveLength(1);
    if (change === 'is removed') await own.delete(`/v1/users/${tenant.id}/${memberOf(person)}`).expect(200);
    else await own.patch('/v1/me', { name: 'Grace' }).expect(200);
    expect(await naming()).toEqual([]);
  });

  it('is shown by a preview link as long as they are a member', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id], 'editor');
    const { http } = await signIn(app, person);
    const TYPES = `/v1/content/${tenant.id}/types`;
    await tenant.http.post(TYPES, { name: 'Post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    const { body: entry } = await http.post(`${TYPES}/post/entries`, { fields: { title: 'One' } }).expect(201);
    const { body: link } = await http.post(`${TYPES}/post/entries/${entry.data.id}/preview-links`).expect(201);
    const preview = new URL(link.data.url).pathname;
    await app.client().get(preview).expect(200);
    const user = (await http.get('/v1/me').expect(200)).body.data.user.id;
    await tenant.http.delete(`/v1/users/${tenant.id}/${user}`).expect(200);
    await app.client().get(preview).expect(404);
  });
});

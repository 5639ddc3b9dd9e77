import type { Browser } from 'playwright-core';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { enterPassword, openConsole } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';
import { Hands } from '../support/hands.js';
import { makePerson } from '../support/people.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const ARTICLE = [
  { name: 'title', label: 'Title', type: 'text', required: true, localized: true },
  { name: 'cover', label: 'Cover', type: 'media' },
  {
    name: 'sections',
    label: 'Sections',
    type: 'blocks',
    localized: true,
    blocks: [
      { name: 'words', label: 'Words', fields: [{ name: 'text', label: 'Text', type: 'text' }] },
      { name: 'picture', label: 'Picture', fields: [{ name: 'image', label: 'Image', type: 'media' }] },
    ],
  },
];
const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }] };
const ZONE = { timezoneId: 'Europe/Berlin' };

/** The next Monday at nine, as the field of a form has it. */
function mondayAtNine(): string {
  const days = (8 - new Date().getUTCDay()) % 7 || 7;
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T09:00`;
}

describeWithBrowser('a day in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let receiver: Receiver;
  let tenant: TestTenant;
  beforeAll(async () => {
    [app, browser, receiver] = await Promise.all([
      startApp({ ...RECEIVER_ENV, TRUST_PROXY: '1' }),
      openBrowser(),
      startReceiver(),
    ]);
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => Promise.all([app.close(), browser.close(), receiver.close()]));

  /** Somebody with the role who has just signed in. What follows is counted. */
  const arrive = async (role: string, options = {}): Promise<Hands> => {
    const person = await makePerson(app, [tenant.id], role);
    const { page } = await openConsole(app, browser, '', options);
    await enterPassword(page, person);
    const hands = new Hands(page);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return hands;
  };
  const saved = ({ page }: Hands) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  const articles = async (): Promise<TestType> => {
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    return createType(tenant, ARTICLE);
  };

  it('an author writes an article with pictures, an editor reads what is new, and it is public on Monday', async () => {
    const type = await articles();
    const author = await arrive('author');
    const { page } = author;
    await author.click('link', 'Content');
    await author.click('link', 'Article');
    await author.click('button', 'New entry');
    await author.type('textbox', 'Title', 'Tides');
    const cover = page.getByRole('group', { name: 'Cover', exact: true });
    await author.click('button', 'Choose a file', cover);
    const file = { name: 'tide.png', mimeType: 'image/png', buffer: await files.png() };
    await page.getByLabel('Upload').setInputFiles(file);
    author.clicks += 2;
    await author.type('textbox', 'Alternative text', 'The harbour at low water', cover);
    await author.click('button', 'Add block');
    await author.click('menuitem', 'Words');
    await author.type('textbox', 'Text', 'The sea comes and goes twice a day.');
    await author.click('button', 'Add block');
    await author.click('menuitem', 'Picture');
    await author.click('button', 'Choose a file', page.getByRole('group', { name: 'Picture 2', exact: true }));
    await author.click('button', 'tide.png');
    await saved(author);
    await author.click('button', 'Save');
    await saved(author);
    await author.click('button', 'Ask for review');
    await author.type('textbox', 'Note', 'Is the second section too long?');
    await author.click('button', 'Send');
    await author.sees('The review was asked for.');
    const { body } = await tenant.http.get(`${type.entries}?preview=true`).expect(200);
    const [{ id, fields }] = body.data;
    expect(fields).toMatchObject({
      title: 'Tides',
      cover: { alt: 'The harbour at low water' },
      sections: [{ block: 'words' }, { block: 'picture' }],
    });
    expect(author.effort).toBe('19 clicks, 95 keys');

    const editor = await arrive('editor', ZONE);
    await editor.sees('Is the second section too long?');
    await editor.clickOn(editor.page.getByRole('link', { name: 'Tides' }).first());
    await editor.click('tab', 'History');
    await editor.sees('The sea comes and goes twice a day.');
    await editor.click('tab', 'Edit');
    await editor.type('textbox', 'Text', 'The sea comes and goes.');
    await saved(editor);
    await editor.click('tab', 'History');
    await editor.page.locator('del').getByText('twice a day').waitFor();
    await editor.click('button', 'Ask for review');
    await editor.type('textbox', 'Note', 'Shorter. I publish it on Monday.');
    await editor.click('button', 'Send');
    await editor.sees('The review was asked for.');
    await editor.click('button', 'Schedule');
    await editor.typeInto(editor.page.getByLabel('Publish at', { exact: true }), mondayAtNine());
    await editor.click('button', 'Save schedule');
    await editor.sees(/Will be published on .*9:00/);
    const schedule = await tenant.http.get(`${type.entries}/${id}/schedule`).expect(200);
    expect(schedule.body.data.publish_at).toMatch(/T0[78]:00:00/);
    expect(editor.effort).toBe('11 clicks, 71 keys');
  });

  it('a translator finds what lacks German, and makes it public', async () => {
    const type = await articles();
    await createEntries(tenant, type, [
      { fields: { title: 'Ebb' }, status: 'published' },
      { fields: { title: 'Flood' }, status: 'published' },
    ]);
    await tenant.http.patch(`${type.entries}/${await idOf(type, 'Ebb')}?locale=de`, { fields: { title: 'Ebbe' } });
    const role = { name: 'German', scopes: ['content:read', 'content:write'], locales: ['de'] };
    const made = await tenant.http.post(`/v1/roles/${tenant.id}`, role).expect(201);
    const translator = await arrive(parseId('rol', made.body.data.id) ?? '');
    await translator.click('link', 'Content');
    await translator.click('link', '1 missing');
    await translator.click('link', 'Flood');
    await translator.page.getByRole('region', { name: 'English: Title' }).getByText('Flood').waitFor();
    await translator.type('textbox', 'Title', 'Flut');
    await saved(translator);
    await translator.click('button', 'Publish');
    await until(async () => {
      const { body } = await tenant.http.get(`${type.entries}?translated=de&locale=de&sort=title`).expect(200);
      return body.data.map(({ fields }: { fields: { title: string } }) => fields.title).join() === 'Ebbe,Flut';
    });
    expect(translator.effort).toBe('5 clicks, 4 keys');
  });

  async function idOf({ entries }: TestType, title: string): Promise<string> {
    const { body } = await tenant.http.get(`${entries}?filter[title]=${title}`).expect(200);
    return body.data[0].id;
  }

  it('support finds a request among the spam, answers it, and erases a person', async () => {
    const form = {
      name: 'Contact',
      fields: [
        { name: 'name', type: 'text', label: 'Your name' },
        { name: 'email', type: 'email', label: 'Email' },
        { name: 'message', type: 'textarea', label: 'Message' },
      ],
      settings: { spam: { max_links: 0 } },
    };
    await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    const send = async (address: string, fields: object) =>
      app
        .client(undefined, { 'X-Forwarded-For': address })
        .post(`/v1/forms/${tenant.id}/contact/submissions`, { fields })
        .expect(201);
    await send('198.51.100.1', { name: 'Ada', email: 'ada@example.com', message: 'See https://example.com/order' });
    await send('198.51.100.2', {
      name: 'Eve',
      email: 'eve@example.com',
      message: 'Please delete what you have of me.',
    });
    const support = await arrive('support');
    const { page } = support;
    const list = page.getByRole('list', { name: 'Submissions' });
    await support.click('link', 'Forms');
    await support.click('link', 'Contact');
    await support.click('tab', /^Spam 1$/);
    await support.clickOn(list.getByRole('button').first());
    await support.sees('Taken for spam: it has too many links.');
    await support.click('button', 'Not spam');
    await support.click('tab', /^New 2$/);
    await support.clickOn(list.getByRole('button').filter({ hasText: 'Ada' }));
    const address = page.getByRole('article').getByRole('link', { name: 'ada@example.com' });
    expect(await address.getAttribute('href')).toBe('mailto:ada%40example.com');
    support.clicks++;
    await support.type('textbox', 'Note', 'Answered by mail.');
    await support.click('button', 'Save note');
    await support.sees('The note was saved.');
    await support.click('button', 'Mark as done');
    await page.getByRole('tab', { name: /^New 1$/ }).waitFor();
    await support.click('button', 'Erase a person');
    await support.type('textbox', 'Email', 'eve@example.com');
    await support.click('button', 'Erase', page.getByRole('dialog'));
    await support.sees('Done: 1 submission');
    await support.click('button', 'Close', page.getByRole('dialog'));
    await support.sees('Nothing is waiting for an answer.');
    expect(support.effort).toBe('15 clicks, 32 keys');
  });

  it('an admin invites a colleague, makes a key, and finds out why a webhook fails', async () => {
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    let isDown = true;
    receiver.answer('/shop', () => (isDown ? { status: 503, body: 'The shop is closed for repair.' } : 200));
    const webhook = { url: receiver.url('/shop'), events: ['entry.created'], description: 'Shop' };
    await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(201);
    await createEntries(tenant, type, [{ fields: { title: 'One' } }, { fields: { title: 'Two' } }]);
    await receiver.until('/shop', 2);
    const admin = await arrive('owner');
    const { page } = admin;
    await admin.click('link', 'Settings');
    await admin.click('button', 'Invite');
    await admin.type('textbox', 'Email', 'grace@example.org');
    await admin.choose('Role', 'editor', page.getByRole('dialog'));
    await admin.click('button', 'Send invitation');
    await admin.sees('An invitation was sent to grace@example.org.');
    await admin.click('link', 'API keys');
    await admin.click('button', 'New key');
    await admin.type('textbox', 'Name', 'Website');
    await admin.click('button', 'Create key');
    await admin.click('button', 'Copy key');
    await admin.click('button', 'I have kept it');
    await admin.click('link', 'Webhooks');
    await admin.click('link', /\/shop$/);
    await admin.clickOn(page.getByRole('button', { name: /^entry\.created/ }).first());
    await admin.sees('The shop is closed for repair.');
    isDown = false;
    await admin.click('button', 'Replay');
    await admin.typeInto(page.getByRole('textbox', { name: 'From' }), '2020-01-01T00:00');
    await admin.click('button', 'Count');
    await admin.click('button', 'Replay 2 events');
    await admin.sees('2 events will be sent again.');
    await receiver.until('/shop', 4);
    expect(admin.effort).toBe('19 clicks, 40 keys');
  });
});

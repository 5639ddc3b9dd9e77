import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createDrafts, createEntries, createType } from '../support/content.js';
import { files } from '../support/files.js';
import { makePerson } from '../support/people.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

describeWithBrowser('the form of an entry in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  const open = (tenant: TestTenant, path: string, options = {}, who: Parameters<typeof openSignedIn>[2] = tenant) =>
    openSignedIn(app, browser, who, `/${tenant.id}${path}`, options);

  const SIMPLE = [
    { name: 'title', label: 'Title', type: 'text', help: 'What it is called.', placeholder: 'A name' },
    { name: 'count', type: 'integer' },
    { name: 'price', type: 'number' },
    { name: 'good', label: 'Is good', type: 'boolean' },
    { name: 'day', label: 'Day', type: 'date' },
    { name: 'at', label: 'At', type: 'datetime' },
    { name: 'mail', label: 'Mail', type: 'email' },
    { name: 'site', label: 'Site', type: 'url' },
    { name: 'kind', label: 'Kind', type: 'select', options: ['bread', 'cake'] },
    { name: 'marks', label: 'Marks', type: 'select', options: ['a', 'b', 'c'], multiple: true },
    { name: 'tags', label: 'Tags', type: 'text', multiple: true },
    { name: 'extra', label: 'Extra', type: 'json' },
    { name: 'body', label: 'Text', type: 'rich_text' },
  ];

  it('takes a value of every type, and stores it as it was entered', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, SIMPLE, 'Loaf');
    const { page, errors } = await open(tenant, '/content/loaf/new', { timezoneId: 'Europe/Berlin' });
    const box = (name: string) => by(page)('textbox', name);
    await box('Title').fill('Soda bread');
    expect(await box('Title').getAttribute('placeholder')).toBe('A name');
    await page.getByText('What it is called.').waitFor();
    await box('count').fill('12');
    await box('price').fill('1.5e3');
    await by(page)('checkbox', 'Is good').check();
    await page.getByLabel('Day', { exact: true }).fill('2028-02-29');
    await page.getByLabel('At', { exact: true }).fill('2026-07-01T09:30');
    await box('Mail').fill('ada@example.com');
    await box('Site').fill('https://example.com/');
    await by(page)('combobox', 'Kind').selectOption('cake');
    await by(page)('checkbox', 'c').check();
    await by(page)('checkbox', 'a').check();
    await by(page)('button', 'Add to Tags').click();
    await box('Tags 1').fill('one');
    await by(page)('button', 'Add to Tags').click();
    await box('Tags 2').fill('two');
    await by(page)('button', 'Move up').last().click();
    await box('Extra').fill('{"a": [1, null, "<i>"]}');
    await box('Text').click();
    await page.keyboard.type('Mix ');
    await by(page)('button', 'Bold').click();
    await page.keyboard.type('well');
    await saved(page);
    await by(page)('button', 'Save').click();
    await saved(page);
    expect(await violationsOf(page)).toEqual([]);
    const { body } = await tenant.http.get(type.entries);
    expect(body.data[0].fields).toEqual({
      title: 'Soda bread',
      count: 12,
      price: 1500,
      good: true,
      day: '2028-02-29',
      at: '2026-07-01T09:30+02:00',
      mail: 'ada@example.com',
      site: 'https://example.com/',
      kind: 'cake',
      marks: ['c', 'a'],
      tags: ['two', 'one'],
      extra: { a: [1, null, '<i>'] },
      body: '<p>Mix <strong>well</strong></p>',
    });
    expect(errors).toEqual([]);
  });

  it('is in the text again as soon as a button of its toolbar was pressed', async () => {
    const tenant = app.tenant();
    await createType(tenant, SIMPLE, 'Loaf');
    const { page } = await open(tenant, '/content/loaf/new');
    await by(page)('textbox', 'Text').click();
    await by(page)('button', 'Bold').waitFor();
    const pressed = `(() => {
      const button = document.querySelector('[aria-label=Bold]');
      button.focus();
      button.click();
      return document.activeElement.isContentEditable;
    })()`;
    expect(await page.evaluate(pressed)).toBe(true);
  });

  it('changes nothing of a value that it shows in another way', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, SIMPLE, 'Loaf');
    const fields = {
      title: 'Two\nlines',
      price: 1e21,
      at: '2026-07-01 09:30:15.123456+0530',
      extra: { z: 1, a: { y: 0.1 } },
      body: '<DIV class=x>Old  markup<br></DIV>',
    };
    const [id = ''] = await createEntries(tenant, type, [{ fields }]);
    const { page } = await open(tenant, `/content/loaf/${id}`);
    await page.getByText('It stays as it is until you change it.').waitFor();
    expect(await by(page)('textbox', 'Text').inputValue()).toBe(fields.body);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'count').fill('3');
    await by(page)('button', 'Save').click();
    await saved(page);
    const { body } = await tenant.http.get(`${type.entries}/${id}`);
    expect(body.data.fields).toEqual({ ...fields, count: 3 });
  });

  it('has a tab for each group of fields, and leads to what is wrong in another one', async () => {
    const tenant = app.tenant();
    const fields = [
      { name: 'title', label: 'Title', type: 'text', group: 'Text' },
      { name: 'slug', label: 'Slug', type: 'text', required: true, group: 'For search' },
    ];
    await createType(tenant, fields, 'Loaf');
    const { page } = await open(tenant, '/content/loaf/new');
    await by(page)('textbox', 'Title').fill('Rolls');
    expect(await by(page)('textbox', 'Slug').count()).toBe(0);
    await by(page)('button', 'Publish').click();
    await by(page)('textbox', 'Slug').and(page.locator(':focus')).waitFor();
    await page.getByText('Slug is required').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Text' }).click();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Rolls');
  });

  const BLOCKS = [
    { name: 'title', label: 'Title', type: 'text' },
    {
      name: 'sections',
      label: 'Sections',
      type: 'blocks',
      blocks: [
        { name: 'quote', label: 'Quote', fields: [{ name: 'text', label: 'Words', type: 'text', max: 10 }] },
        {
          name: 'gallery',
          label: 'Gallery',
          fields: [
            {
              name: 'pictures',
              label: 'Pictures',
              type: 'group',
              multiple: true,
              fields: [{ name: 'caption', label: 'Caption', type: 'text' }],
            },
          ],
        },
      ],
    },
  ];

  it('adds, copies, orders and removes blocks, by the keyboard too', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, BLOCKS, 'Page');
    const { page, errors } = await open(tenant, '/content/page/new');
    const sections = page.getByRole('group', { name: 'Sections', exact: true });
    const item = (name: string) => sections.getByRole('group', { name, exact: true });
    const button = (name: string, which: string) => item(name).getByRole('button', { name: which, exact: true });
    const add = async (kind: string) => {
      await by(page)('button', 'Add block').click();
      await by(page)('menuitem', kind).click();
    };
    await add('Quote');
    await item('Quote 1').getByRole('textbox', { name: 'Words' }).fill('One');
    await button('Quote 1', 'Duplicate').click();
    await item('Quote 2').getByRole('textbox', { name: 'Words' }).fill('Two');
    await add('Gallery');
    await item('Gallery 3').getByRole('button', { name: 'Add to Pictures' }).click();
    await item('Gallery 3').getByRole('textbox', { name: 'Caption' }).fill('A cat');
    expect(await violationsOf(page)).toEqual([]);
    await button('Gallery 3', 'Move up').first().focus();
    await page.keyboard.press('Enter');
    await item('Gallery 2').waitFor();
    await page.keyboard.press('Enter');
    await item('Gallery 1').waitFor();
    await item('Quote 3').locator('[draggable]').dragTo(item('Quote 2'));
    await button('Quote 2', 'Remove').click();
    await saved(page);
    await by(page)('button', 'Save').click();
    await saved(page);
    const { body } = await tenant.http.get(type.entries);
    expect(body.data[0].fields.sections).toEqual([
      { block: 'gallery', pictures: [{ caption: 'A cat' }] },
      { block: 'quote', text: 'One' },
    ]);
    expect(errors).toEqual([]);
  });

  it('orders blocks by dragging them', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, BLOCKS, 'Page');
    const sections = ['One', 'Two', 'Three'].map((text) => ({ block: 'quote', text }));
    const [id = ''] = await createEntries(tenant, type, [{ fields: { sections } }]);
    const { page } = await open(tenant, `/content/page/${id}`);
    const card = (name: string) => by(page)('group', name);
    await card('Quote 3').locator('[draggable]').dragTo(card('Quote 1'));
    await saved(page);
    const { body } = await tenant.http.get(`${type.entries}/${id}?preview=true`);
    expect(body.data.fields.sections.map(({ text }: { text: string }) => text)).toEqual(['Three', 'One', 'Two']);
  });

  it('shows what is wrong inside a block beside its field', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, BLOCKS, 'Page');
    const sections = Array.from({ length: 200 }, (_, index) => ({ block: 'quote', text: `No ${index}` }));
    const [id = ''] = await createDrafts(tenant, type, { title: 'Long', sections });
    const { page } = await open(tenant, `/content/page/${id}`);
    const toggle = page.getByRole('group', { name: 'Quote 150' }).getByRole('button', { expanded: false });
    await toggle.click();
    const words = page.getByRole('group', { name: 'Quote 150' }).getByRole('textbox', { name: 'Words' });
    await words.fill('More than ten');
    await page.getByRole('status').getByText('Not saved: Words is too long', { exact: true }).waitFor();
    await words.and(page.locator('[aria-invalid]')).waitFor();
    await words.fill('Ten');
    await saved(page);
  });

  it('finds entries to refer to as one types', async () => {
    const tenant = app.tenant();
    const author = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const company = await createType(tenant, [{ name: 'name', type: 'text' }], 'Company');
    const [ada, grace] = await createDrafts(tenant, author, { name: 'Ada Lovelace' }, { name: 'Grace Hopper' });
    const [acme] = await createDrafts(tenant, company, { name: 'Acme' });
    const type = await createType(
      tenant,
      [
        { name: 'author', label: 'Author', type: 'reference', content_type: author.id },
        { name: 'others', label: 'Others', type: 'reference', content_types: [author.id, company.id], multiple: true },
      ],
      'Post',
    );
    const { page, errors } = await open(tenant, '/content/post/new');
    const one = by(page)('combobox', 'Author');
    await one.fill('lovel');
    await by(page)('option', 'Ada Lovelace').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('option', 'Ada Lovelace').click();
    await until(async () => (await one.inputValue()) === 'Ada Lovelace');
    const others = by(page)('combobox', 'Others');
    await others.fill('acm');
    await by(page)('option', 'Acme').waitFor();
    await others.press('Enter');
    await by(page)('link', 'Acme').waitFor();
    await others.fill('hopp');
    await by(page)('option', 'Grace Hopper').waitFor();
    await others.press('Enter');
    await by(page)('link', 'Grace Hopper').waitFor();
    await saved(page);
    await by(page)('button', 'Save').click();
    await saved(page);
    const { body } = await tenant.http.get(type.entries);
    expect(body.data[0].fields).toEqual({ author: ada, others: [acme, grace] });
    // IDs are not shown while the names are read.
    let name: () => void = () => undefined;
    const named = new Promise<void>((resolve) => (name = resolve));
    await page.route('**/types/*/entries?**', (route) => named.then(() => route.continue()));
    await page.reload();
    await one.waitFor();
    expect(await one.inputValue()).toBe('');
    expect(await page.getByRole('tabpanel').getByText('ent_').count()).toBe(0);
    name();
    await by(page)('link', 'Grace Hopper').waitFor();
    await until(async () => (await one.inputValue()) === 'Ada Lovelace');
    expect(errors).toEqual([]);
  });

  it('chooses a file, or uploads one in place, with its alternative text', async () => {
    const tenant = app.tenant();
    await upload(app, tenant, await files.png(), 'cat.png', 'A cat');
    const type = await createType(tenant, [{ name: 'cover', label: 'Cover', type: 'media' }], 'Post');
    const { page, errors } = await open(tenant, '/content/post/new');
    const cover = page.getByRole('group', { name: 'Cover', exact: true });
    await cover.getByRole('button', { name: 'Choose a file' }).click();
    await by(page)('button', 'cat.png').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'cat.png').click();
    await cover.getByRole('textbox', { name: 'Alternative text' }).fill('Our cat');
    await saved(page);
    const read = async () => (await tenant.http.get(`${type.entries}?preview=true`)).body.data[0].fields.cover;
    expect(await read()).toMatchObject({ alt: 'Our cat' });
    await cover.getByRole('button', { name: 'Choose another file' }).click();
    const file = { name: 'dog.png', mimeType: 'image/png', buffer: await files.png() };
    await page.getByLabel('Upload').setInputFiles(file);
    await cover.getByRole('textbox', { name: 'Alternative text' }).fill('Our dog');
    await saved(page);
    expect(await read()).toMatchObject({ alt: 'Our dog' });
    expect(errors).toEqual([]);
  });

  it('is read-only for those who may only read, and asks for a review for those who may only draft', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, SIMPLE, 'Loaf');
    const [id = ''] = await createDrafts(tenant, type, { title: 'Rolls', tags: ['a'], body: '<p>Mix.</p>' });
    const offered = { viewer: [], author: ['Save', 'Ask for review'], editor: ['Save', 'Ask for review', 'Publish'] };
    for (const [role, names] of Object.entries(offered)) {
      const person = await makePerson(app, [tenant.id], role);
      const { page } = await open(tenant, `/content/loaf/${id}`, {}, person);
      await by(page)('textbox', 'Title').waitFor();
      for (const name of offered.editor) {
        expect([role, name, await by(page)('button', name).count()]).toEqual([
          role,
          name,
          names.some((each) => each === name) ? 1 : 0,
        ]);
      }
      expect(await by(page)('textbox', 'Title').isEditable()).toBe(role !== 'viewer');
      if (role === 'viewer') expect(await violationsOf(page)).toEqual([]);
    }
  });
});

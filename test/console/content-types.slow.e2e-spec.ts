import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { makePerson } from '../support/people.js';

const HOSTILE = '"><script>document.title=1</script>';
const LOOKS: BrowserContextOptions[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 375, height: 800 }, colorScheme: 'dark' },
];
const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'price', label: 'Price', type: 'number' },
];

describeWithBrowser('content types in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (tenant: TestTenant, path: string, options: BrowserContextOptions = {}) =>
    (await openSignedIn(app, browser, tenant, `/${tenant.id}${path}`, options)).page;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const item = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Fields', exact: true }).locator(`> li`, { hasText: name });
  const press = (page: Page, name: string) => by(page)('button', name).click();
  const stored = async (tenant: TestTenant, type: string) =>
    (await tenant.http.get(`/v1/content/${tenant.id}/types/${type}`).expect(200)).body.data;
  const isPassing = async (page: Page) => {
    expect(await violationsOf(page)).toEqual([]);
    const [shown, whole] = await page.evaluate<[number, number]>(
      '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
    );
    expect(whole).toBe(shown);
  };
  const notes = async (): Promise<{ tenant: TestTenant; type: TestType; ids: string[] }> => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    const ids = await createEntries(tenant, type, [
      { fields: { title: 'One', price: 3 } },
      { fields: { title: 'Two' } },
    ]);
    return { tenant, type, ids };
  };

  it('are made from a template, which can be changed before', async () => {
    const tenant = app.tenant();
    const page = await open(tenant, '/content');
    await page.getByText('No content types yet').waitFor();
    await press(page, 'New content type');
    await by(page)('radio', 'Article').check();
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('Article');
    await by(page)('textbox', 'Name').fill('News');
    await press(page, 'Remove Picture');
    await press(page, 'Review changes');
    await page.getByRole('dialog').getByText('is made with 5 fields').waitFor();
    await isPassing(page);
    await press(page, 'Apply');
    await said(page, 'The content type News was made.');
    await by(page)('heading', 'News').waitFor();
    const { fields } = await stored(tenant, 'news');
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(['title', 'slug', 'summary', 'body', 'date']);
  });

  it('are offered as each of the templates says', async () => {
    const tenant = app.tenant();
    for (const [template, slug] of [
      ['Article', 'article'],
      ['Product', 'product'],
      ['Event', 'event'],
      ['Page with blocks', 'page'],
    ] as const) {
      const page = await open(tenant, '/types/new');
      await by(page)('radio', template).check();
      await press(page, 'Review changes');
      await press(page, 'Apply');
      await said(page, 'was made.');
      expect((await stored(tenant, slug)).fields.length).toBeGreaterThan(2);
      await page.close();
    }
  });

  it('are refused beside the field that the service names, and without fields', async () => {
    const { tenant } = await notes();
    const page = await open(tenant, '/types/new');
    await press(page, 'Review changes');
    await page.getByText('Give the content type a name.').waitFor();
    await page.getByText('Add at least one field.').waitFor();
    await isPassing(page);
    await by(page)('radio', 'Event').check();
    await by(page)('textbox', 'Slug').fill('Not a slug');
    await press(page, 'Review changes');
    await press(page, 'Apply');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await press(page, 'Cancel');
    await page.locator('input[aria-invalid]').waitFor();
  });

  it('get, lose, move and rename fields once the plan is applied', async () => {
    const { tenant, ids, type } = await notes();
    const page = await open(tenant, '/content/note');
    await press(page, 'Edit content type');
    await press(page, 'Add field');
    await by(page)('textbox', 'Label').fill('Größe in cm');
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('gro_e_in_cm');
    await by(page)('combobox', 'Type').selectOption('Choice');
    await press(page, 'Add to the type');
    await page.getByText('Enter what can be chosen.').waitFor();
    await by(page)('textbox', 'Options').fill('S\nL');
    await press(page, 'Add to the type');
    await press(page, 'Edit Title');
    await by(page)('textbox', 'Label').fill('Headline');
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('title');
    await by(page)('textbox', 'Name').fill('headline');
    await press(page, 'Change field');
    await item(page, 'Headline').getByText('until now').waitFor();
    await item(page, 'Headline').getByRole('button', { name: 'Move down' }).click();
    await press(page, 'Remove Price');
    await press(page, 'Review changes');
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText('Headline gets this name, and its values move to it.').waitFor();
    await steps.getByText('Price is removed.').waitFor();
    await steps.getByText('The values of 1 entry are hidden.').waitFor();
    await isPassing(page);
    expect((await stored(tenant, 'note')).fields).toEqual(FIELDS);
    await press(page, 'Apply');
    await said(page, 'Note was changed.');
    expect((await stored(tenant, 'note')).fields).toEqual([
      { name: 'headline', label: 'Headline', type: 'text' },
      { name: 'gro_e_in_cm', label: 'Größe in cm', type: 'select', options: ['S', 'L'] },
    ]);
    const { body } = await tenant.http.get(`${type.entries}/${ids[0]}`).expect(200);
    expect(body.data.fields).toEqual({ headline: 'One' });
  });

  it('show the entries in the way of a change, and change nothing', async () => {
    const { tenant, ids } = await notes();
    const page = await open(tenant, '/types/note');
    await press(page, 'Edit Price');
    await by(page)('spinbutton', 'At least').fill('5');
    await press(page, 'Change field');
    await press(page, 'Review changes');
    await page.getByText('1 entry must be changed first:').waitFor();
    const link = by(page)('link', 'One');
    expect(await link.getAttribute('href')).toBe(`/console/${tenant.id}/content/note/${ids[0]}`);
    expect(await by(page)('button', 'Apply').isDisabled()).toBe(true);
    await isPassing(page);
  });

  it('have groups and blocks with fields of their own', async () => {
    const { tenant } = await notes();
    const page = await open(tenant, '/types/note');
    const add = async (button: string, label: string, type?: string) => {
      await press(page, button);
      await by(page)('textbox', 'Label').fill(label);
      if (type) await by(page)('combobox', 'Type').selectOption(type);
      await page.getByRole('dialog').locator('button[type=submit]').click();
    };
    await add('Add field', 'SEO', 'Group of fields');
    await add('Add field to SEO', 'Description', 'Text');
    await add('Add field', 'Sections', 'Blocks in any order');
    await add('Add block to Sections', 'Quote');
    await add('Add field to Quote', 'Words', 'Text');
    await press(page, 'Review changes');
    await page.getByRole('list', { name: 'Steps' }).getByText('Sections').first().waitFor();
    await press(page, 'Apply');
    await said(page, 'Note was changed.');
    await press(page, 'Edit Description');
    await by(page)('textbox', 'Name').fill('summary');
    await press(page, 'Change field');
    await press(page, 'Review changes');
    await page.getByText('SEO › Description gets this name').waitFor();
    await press(page, 'Apply');
    await by(page)('button', 'Apply').waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Fields of SEO' }).getByText('summary').waitFor();
    expect((await stored(tenant, 'note')).fields.slice(2)).toEqual([
      { name: 'seo', label: 'SEO', type: 'group', fields: [{ name: 'summary', label: 'Description', type: 'text' }] },
      {
        name: 'sections',
        label: 'Sections',
        type: 'blocks',
        blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'words', label: 'Words', type: 'text' }] }],
      },
    ]);
  });

  it('keep every attribute that a definition has', async () => {
    const tenant = app.tenant();
    await createType(tenant, FIELDS, 'Person');
    const fields = [
      {
        name: 'title',
        type: 'text',
        label: 'Title',
        required: true,
        unique: true,
        min: 1,
        max: 9,
        pattern: '^a',
        help: 'H',
        placeholder: 'P',
        group: 'G',
      },
      { name: 'tags', type: 'select', label: 'Tags', multiple: true, options: ['a', 'b'], default: ['a', 'b'] },
      { name: 'writer', type: 'reference', label: 'Writer', content_type: 'person', on_delete: 'refuse' },
      { name: 'stock', type: 'integer', label: 'Stock', default: 3 },
      { name: 'live', type: 'boolean', label: 'Live', default: false },
      { name: 'raw', type: 'json', label: 'Raw', default: { a: [1] } },
    ];
    await createType(tenant, fields, 'Note');
    const page = await open(tenant, '/types/note');
    for (const { label } of fields) {
      await press(page, `Edit ${label}`);
      await press(page, 'Change field');
    }
    expect(await by(page)('button', 'Review changes').isDisabled()).toBe(true);
    await by(page)('tab', 'JSON').click();
    const json = JSON.parse((await page.locator('pre').textContent()) ?? '') as { fields: object[] };
    expect(json.fields).toEqual(fields);
  });

  it('have settings, and are shown to developers', async () => {
    const { tenant } = await notes();
    const page = await open(tenant, '/types/note?tab=settings');
    await by(page)('checkbox', 'Public').check();
    await by(page)('combobox', 'Language').selectOption('English');
    await by(page)('textbox', 'Preview address').fill('https://site.example/{title}?preview={token}');
    await isPassing(page);
    await press(page, 'Review changes');
    await page.getByText('Everybody can read what is published, without a key.').last().waitFor();
    await press(page, 'Apply');
    await said(page, 'Note was changed.');
    expect(await stored(tenant, 'note')).toMatchObject({ public: true, language: 'en' });
    await by(page)('tab', 'TypeScript').click();
    await page.locator('pre', { hasText: /^export interface Note/m }).waitFor();
    expect(await page.locator('pre').textContent()).not.toContain('interface Schema');
    await isPassing(page);
    await by(page)('tab', 'Requests').click();
    await page.locator('pre', { hasText: '$TRIVET_KEY' }).first().waitFor();
    await isPassing(page);
  });

  it('are not overwritten when somebody else has changed them meanwhile', async () => {
    const { tenant, type } = await notes();
    const page = await open(tenant, '/types/note');
    await press(page, 'Remove Price');
    await tenant.http.put(type.path, { name: 'Memo' }).expect(200);
    await press(page, 'Review changes');
    await page.getByText('Somebody else has changed this content type').waitFor();
    await isPassing(page);
    await press(page, 'Load again');
    await by(page)('heading', 'Memo').waitFor();
    await by(page)('button', 'Remove Price').waitFor();
  });

  it('are deleted with the number of their entries said before', async () => {
    const { tenant, type } = await notes();
    const page = await open(tenant, '/types/note');
    await press(page, 'Delete content type');
    await by(page)('button', 'Delete the type and 2 entries').waitFor();
    await isPassing(page);
    await press(page, 'Delete the type and 2 entries');
    await said(page, 'The content type Note was deleted.');
    await page.getByText('No content types yet').waitFor();
    await tenant.http.get(type.path).expect(404);
  });

  it('are changed by those alone who may', async () => {
    const { tenant, type } = await notes();
    const viewer = await makePerson(app, [tenant.id], 'viewer');
    const { page } = await openSignedIn(app, browser, viewer, `/${tenant.id}/content/note`);
    await by(page)('heading', 'Note').waitFor();
    expect(await by(page)('button', 'Edit content type').count()).toBe(0);
    for (const path of ['/types/note', '/types/new']) {
      await page.goto(page.url().replace(/\/(content|types)\/.*/, path));
      await by(page)('heading', 'You may not open this page').waitFor();
    }
    const scopes = [`content:read@${type.id}`, `content:write@${type.id}`];
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'narrow', scopes }).expect(201);
    const narrow = (await openSignedIn(app, browser, { key: body.data.key }, `/${tenant.id}/content`)).page;
    await by(narrow)('link', 'Note').click();
    await press(narrow, 'Edit content type');
    await by(narrow)('button', 'Remove Price').waitFor();
    await narrow.goto(narrow.url().replace('/note', '/new'));
    await by(narrow)('heading', 'You may not open this page').waitFor();
  });

  it('show hostile words as text, and fit every screen', async () => {
    const tenant = app.tenant();
    const label = `${HOSTILE} ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`;
    const fields = [
      { name: 'title', label, type: 'text', help: HOSTILE, group: HOSTILE, placeholder: HOSTILE },
      { name: 'arabic', label: 'عنوان', type: 'select', options: [HOSTILE], default: HOSTILE },
      {
        name: 'body',
        label,
        type: 'blocks',
        blocks: [{ name: 'a', label, fields: [{ name: 'b', label, type: 'text' }] }],
      },
    ];
    await createType(tenant, fields, 'Note');
    for (const look of LOOKS) {
      const page = await open(tenant, '/types/note', look);
      await item(page, 'عنوان').waitFor();
      await isPassing(page);
      await press(page, 'Edit عنوان');
      await page.getByText('More', { exact: true }).click();
      await isPassing(page);
      await press(page, 'Cancel');
      await press(page, 'Remove عنوان');
      await press(page, 'Review changes');
      await page.getByRole('list', { name: 'Steps' }).waitFor();
      await isPassing(page);
      await press(page, 'Cancel');
      for (const tab of ['Settings', 'JSON', 'TypeScript', 'Requests']) {
        await by(page)('tab', tab).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        await isPassing(page);
      }
      await page.evaluate('window.onbeforeunload = null');
      expect(await page.title()).toBe('Note · Trivet');
      await page.close();
    }
  });
});

import { startApp, type TestApp, type TestTenant } from './support/app.js';
import { createEntries, createType, type TestType } from './support/content.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'kind', type: 'select', options: ['news', 'blog'] },
  { name: 'price', type: 'number' },
];

interface Page {
  data: { id: string; fields: { title?: string }; highlights?: Record<string, string[]> }[];
  meta: { total?: number; next_cursor?: string | null; corrected?: string };
}

describe('fuzzy=true', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });

  const add = (...fields: object[]) =>
    createEntries(
      tenant,
      type,
      fields.map((values) => ({ fields: values, status: 'published' })),
    );
  const pathOf = (search: string, more = '') =>
    `${type.entries}?search=${encodeURIComponent(search)}&fuzzy=true${more}`;
  const list = async (search: string, more = '', http = tenant.http): Promise<Page> =>
    (await http.get(pathOf(search, more)).expect(200)).body as Page;
  const corrected = async (search: string, more = ''): Promise<string | undefined> =>
    (await list(search, more)).meta.corrected;
  const titles = ({ data }: Page) => data.map(({ fields }) => fields.title).join('|');

  it('needs a search, and is true or false', async () => {
    for (const query of ['fuzzy=true', 'fuzzy=true&sort=title', 'fuzzy=', 'fuzzy=1', 'fuzzy=TRUE&search=a']) {
      const { body } = await tenant.http.get(`${type.entries}?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'fuzzy' }] });
    }
    await tenant.http.get(`${type.entries}?fuzzy=true&fuzzy=true&search=a`).expect(400);
    await tenant.http.get(`${type.entries}?fuzzy=false`).expect(200);
    expect((await list('')).meta).toEqual({ page: 1, per_page: 25, total: 0 });
  });

  it.each([
    ['a letter too few', 'watr'],
    ['a letter too many', 'watter'],
    ['another letter', 'waler'],
    ['two swapped letters', 'watre'],
    ['another first letter', 'eater'],
    ['swapped first letters', 'awter'],
    ['other case and accents', 'WÂTRE'],
  ])('corrects a word with %s', async (_kind, search) => {
    await add({ title: 'Hot water' });
    const page = await list(search);
    expect(titles(page)).toBe('Hot water');
    expect(page.meta).toEqual({ page: 1, per_page: 25, total: 1, corrected: 'water' });
  });

  it('corrects a long word', async () => {
    await add({ title: 'Hot strawberries' });
    expect(await corrected('strawbberies')).toBe('strawberries');
    const { meta } = await list('strwbbeerries');
    expect(meta).toEqual({ page: 1, per_page: 25, total: 0 });
  });
});

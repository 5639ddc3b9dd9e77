import { startApp, type TestApp, type TestTenant } from './support/app.js';
import { createEntries, createType, type TestType } from './support/content.js';

describe('include', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let companies: TestType;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    companies = await createType(tenant, [{ name: 'name', type: 'text' }], 'Company');
    authors = await createType(
      tenant,
      [
        { name: 'name', type: 'text' },
        { name: 'company', type: 'reference', content_type: 'company' },
      ],
      'Author',
    );
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'text' },
        { name: 'author', type: 'reference', content_type: 'author' },
        { name: 'about', type: 'reference', content_types: ['author', 'company'], multiple: true },
      ],
      'Post',
    );
  });

  const create = async (type: TestType, fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const get = async (path: string, http = tenant.http) => (await http.get(path).expect(200)).body;

  it('adds the entries that the paths lead to, as Get Entry shows them', async () => {
    const company = await create(companies, { name: 'Engines' });
    const ada = await create(authors, { name: 'Ada', company });
    const post = await create(posts, { title: 'One', author: ada, about: [ada, company] });
    const shown = {
      [ada]: (await get(`${authors.entries}/${ada}`)).data,
      [company]: (await get(`${companies.entries}/${company}`)).data,
    };
    const path = `${posts.entries}/${post}`;
    const { data } = await get(path);
    expect(await get(`${path}?include=author`)).toEqual({ data, included: { [ada]: shown[ada] } });
    expect(await get(`${path}?include=author,author.company`)).toEqual({ data, included: shown });
    expect(await get(`${path}?include=about`)).toEqual({ data, included: shown });
    expect((await get(`${posts.entries}?include=author.company`)).included).toEqual(shown);
    expect((await get(`${posts.entries}?include=`)).included).toEqual({});
  });
});

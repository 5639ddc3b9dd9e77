import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType, titlesOf } from '../support/content.js';

interface Page {
  data: { id: string; fields: { title?: string; name?: string }; highlights?: Record<string, string[]> }[];
  meta: { total?: number; next_cursor?: string | null };
}

/** Pseudo-random integers below `max` (Park and Miller). */
function integersFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => (state = (state * 48_271) % 2_147_483_647) % max;
}

describe('search with referenced=true', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const COMPANY = [{ name: 'name', type: 'text' }];
  /** The title is not the first field. */
  const AUTHOR = [
    { name: 'bio', type: 'rich_text' },
    { name: 'name', type: 'text' },
    { name: 'motto', type: 'text' },
  ];
  const postFields = (author: TestType, company: TestType) => [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'rich_text' },
    { name: 'price', type: 'number' },
    { name: 'author', type: 'reference', content_type: author.id },
    { name: 'by', type: 'reference', content_types: [author.id, company.id], multiple: true },
  ];
  const magazine = async () => {
    const company = await createType(tenant, COMPANY, 'Company');
    const author = await createType(tenant, AUTHOR, 'Author');
    const post = await createType(tenant, postFields(author, company), 'Post');
    return { company, author, post };
  };
  const add = (type: TestType, ...entries: object[]) =>
    createEntries(
      tenant,
      type,
      entries.map((fields) => ({ fields, status: 'published' })),
    );
  const pathOf = (type: TestType, search: string, more = '') =>
    `${type.entries}?search=${encodeURIComponent(search)}&referenced=true${more}`;
  const list = async (type: TestType, search: string, more = '', http: Http = tenant.http): Promise<Page> =>
    (await http.get(pathOf(type, search, more)).expect(200)).body as Page;
  const ranked = async (type: TestType, search: string, more = '', http?: Http): Promise<string> => {
    const page = await list(type, search, more, http);
    if (!more.includes('cursor')) expect(page.meta.total).toBe(page.data.length);
    return titlesOf(page).join('|');
  };
  const found = (type: TestType, search: string, more = '', http?: Http) =>
    ranked(type, search, `&sort=created_at&per_page=100${more}`, http);
  const published = () => app.client(`Bearer ${tenant.publishedKey}`);
  /** The IDs of all pages, by cursor. */
  const walk = async (type: TestType, search: string, more: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
      const page: Page = await list(type, search, `${more}&cursor=${encodeURIComponent(cursor)}`);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.meta.next_cursor;
    }
    return ids;
  };
  /** The IDs of all pages, by number. */
  const turn = async (type: TestType, search: string, more: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const { data, meta } = await list(type, search, `${more}&page=${page}`);
      ids.push(...data.map(({ id }) => id));
      if (data.length === 0) {
        expect(ids).toHaveLength(meta.total ?? -1);
        return ids;
      }
    }
  };

  it('needs a search, and is true or false', async () => {
    const { post } = await magazine();
    for (const query of ['referenced=true', 'referenced=', 'referenced=1&search=a', 'referenced=TRUE&search=a']) {
      const { body } = await tenant.http.get(`${post.entries}?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'referenced' }] });
    }
    await tenant.http.get(`${post.entries}?referenced=true&referenced=true&search=a`).expect(400);
    await tenant.http.get(`${post.entries}?referenced=false`).expect(200);
  });

  it('finds exactly what a reference finds that reads everything', async () => {
    const next = integersFrom(20_261_122);
    const { author, company, post } = await magazine();
    const vocabulary = 'ada bee cod dog elk fox gnu hen'.split(' ');
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const words = (most: number) => Array.from({ length: next(most) + 1 }, () => pick(vocabulary)).join(' ');
    const status = () => (next(4) === 0 ? 'draft' : 'published');
    interface Known {
      id: string;
      status: string;
      lines: string[];
      to: string[];
    }
    const titles = new Map<string, { title: string; status: string }>();
    for (const type of [author, company]) {
      for (let count = 0; count < 12; count++) {
        const [title, state] = [words(3), status()];
        const fields = type === author ? { name: title, bio: `<p>${words(3)}</p>` } : { name: title };
        const [id = ''] = await createEntries(tenant, type, [{ fields, status: state }]);
        titles.set(id, { title, status: state });
      }
    }
    const targets = [...titles.keys()];
    const authors = targets.slice(0, 12);
    const posts: Known[] = [];
    for (let count = 0; count < 70; count++) {
      const [title, body, state] = [words(3), words(3), status()];
      const by = next(2) ? Array.from({ length: next(4) }, () => pick(targets)) : [];
      const one = next(3) ? pick(authors) : undefined;
      const fields = { title, body: `<p>${body}</p>`, by, price: next(5), ...(one && { author: one }) };
      const [id = ''] = await createEntries(tenant, post, [{ fields, status: state }]);
      posts.push({ id, status: state, lines: [title, body], to: [...by, ...(one ? [one] : [])] });
    }
    // References that dangle.
    for (const id of [authors[0]!, targets[20]!]) {
      const type = authors.includes(id) ? author : company;
      await tenant.http.delete(`${type.entries}/${id}`).expect(200);
      titles.delete(id);
    }

    type Term = { text: string; excluded: boolean };
    const holds = (lines: string[], text: string) => {
      const isPrefix = text.endsWith('*');
      const sought = isPrefix ? ` ${text.slice(0, -1)}` : ` ${text.replaceAll('"', '').replaceAll('-', ' ')} `;
      return lines.some((line) => ` ${line} `.includes(sought));
    };
    const matches = (one: Known, alternatives: Term[][], withDrafts: boolean) => {
      const seen = one.to.flatMap((id) => titles.get(id) ?? []).filter((to) => withDrafts || to.status === 'published');
      const lines = [...one.lines, ...seen.map(({ title }) => title)];
      return alternatives.some((terms) => terms.every(({ text, excluded }) => holds(lines, text) !== excluded));
    };
    const term = (): Term => {
      const text = [
        () => pick(vocabulary),
        () => pick(vocabulary),
        () => `"${pick(vocabulary)} ${pick(vocabulary)}"`,
        () => `${pick(vocabulary)}-${pick(vocabulary)}`,
        () => `${pick(vocabulary).slice(0, 2)}*`,
      ];
      return { text: pick(text)(), excluded: next(4) === 0 };
    };
    const idsOf = ({ data }: Page) => data.map(({ id }) => id);
    let hits = 0;
    for (let count = 0; count < 120; count++) {
      const alternatives = Array.from({ length: next(4) === 0 ? 2 : 1 }, () =>
        Array.from({ length: next(3) + 1 }, term),
      );
      const query = alternatives
        .map((terms) => terms.map(({ text, excluded }) => `${excluded ? '-' : ''}${text}`).join(' '))
        .join(' or ');
      const withDrafts = count % 3 > 0;
      const http = withDrafts ? tenant.http : published();
      const expected = posts
        .filter((one) => (withDrafts || one.status === 'published') && matches(one, alternatives, withDrafts))
        .map(({ id }) => id);
      hits += expected.length;
      const sorted = await list(post, query, '&sort=created_at&per_page=100', http);
      expect([query, ...idsOf(sorted)]).toEqual([query, ...expected]);
      expect(sorted.meta.total).toBe(expected.length);

      const best = await list(post, query, '&per_page=100', http);
      expect(best.meta.total).toBe(expected.length);
      expect([query, ...idsOf(best).sort()]).toEqual([query, ...[...expected].sort()]);
      const plain = await http.get(`${post.entries}?search=${encodeURIComponent(query)}&per_page=100`).expect(200);
      const own = idsOf(plain.body as Page).filter((id) => expected.includes(id));
      const others = expected.filter((id) => !own.includes(id)).reverse();
      expect([query, ...idsOf(best)]).toEqual([query, ...own, ...others]);
      if (withDrafts && count % 10 === 0) {
        const size = `&per_page=${next(9) + 4}`;
        expect(await walk(post, query, size)).toEqual(idsOf(best));
        expect(await turn(post, query, size)).toEqual(idsOf(best));
        const byPrice = (await list(post, query, '&sort=-price&per_page=100')).data.map(({ id }) => id);
        expect(await walk(post, query, `&sort=-price${size}`)).toEqual(byPrice);
      }
    }
    expect(hits).toBeGreaterThan(500);
  }, 360_000);

  it('finds words in titles referred to, and words of the entry, together', async () => {
    const { author, company, post } = await magazine();
    const [ada, max] = await add(author, { name: 'Ada Lovelace', motto: 'looms' }, { name: 'Max' });
    const [acme] = await add(company, { name: 'ACME Engines' });
    await add(
      post,
      { title: 'Engines', author: ada },
      { title: 'Looms', author: ada },
      { title: 'Engines too', author: max },
      { title: 'Sold', by: [max, acme, ada] },
      { title: 'Bought', by: [acme] },
      { title: 'Ada and engines' },
    );
    expect(await found(post, 'ada engines')).toBe('Engines|Sold|Ada and engines');
    expect(await found(post, 'lovelace')).toBe('Engines|Looms|Sold');
    expect(await found(post, '"ada lovelace" engines')).toBe('Engines|Sold');
    expect(await found(post, '"lovelace engines"')).toBe('');
    expect(await found(post, '"lovelace ada"')).toBe('');
    expect(await found(post, 'acme-engines')).toBe('Sold|Bought');
    expect(await found(post, 'love*')).toBe('Engines|Looms|Sold');
    expect(await found(post, 'engines -ada')).toBe('Engines too|Bought');
    expect(await found(post, '-ada')).toBe('Engines too|Bought');
    expect(await found(post, 'looms or acme')).toBe('Looms|Sold|Bought');
    expect(await found(post, 'looms or -"ada lovelace"')).toBe('Looms|Engines too|Bought|Ada and engines');
    expect(await found(post, 'looms')).toBe('Looms');
    expect(await found(post, '!!!')).toBe('');
    expect(await found(post, ' ', '&filter[title]=Sold')).toBe('Sold');
    const plain = await tenant.http.get(`${post.entries}?search=lovelace`).expect(200);
    expect(plain.body.meta.total).toBe(0);
  });

  it('lists first what matches by its own words, best first, then the others, newest first', async () => {
    const { author, post } = await magazine();
    const [ada] = await add(author, { name: 'Ada' });
    await add(
      post,
      { title: 'About Ada and others' },
      { title: 'one', author: ada },
      { title: 'Ada', author: ada },
      { title: 'two', body: '<p>ada</p>' },
      { title: 'three', by: [ada] },
    );
    expect(await ranked(post, 'ada')).toBe('Ada|About Ada and others|two|three|one');
    expect(await ranked(post, 'ada', '&sort=-title')).toBe('two|three|one|Ada|About Ada and others');
    expect(await ranked(post, 'ada -others')).toBe('Ada|two|three|one');
  });

  it('works with filters, where, highlights and every kind of page', async () => {
    const { author, post } = await magazine();
    const [ada] = await add(author, { name: 'Ada Lovelace' });
    await add(
      post,
      { title: 'ada one', price: 1 },
      { title: 'ada two', price: 2, author: ada },
      { title: 'three', price: 3, author: ada },
      { title: 'four', author: ada },
    );
    expect(await found(post, 'ada', '&filter[price][gte]=2')).toBe('ada two|three');
    expect(await ranked(post, 'ada', '&filter[price][gte]=2')).toBe('ada two|three');
    expect(await ranked(post, 'ada', `&where=${encodeURIComponent('{"not":{"price":null}}')}&sort=-price`)).toBe(
      'three|ada two|ada one',
    );
    expect(await ranked(post, 'ada', `&filter[author]=${ada}`)).toBe('ada two|four|three');
    const { data } = await list(post, 'ada', '&highlight=true&sort=price');
    expect(data.map(({ highlights }) => highlights)).toEqual([
      { title: ['<mark>ada</mark> one'] },
      { title: ['<mark>ada</mark> two'] },
      {},
      {},
    ]);
    for (const sort of ['', '&sort=price', '&sort=-created_at', '&sort=-title,price']) {
      const whole = (await list(post, 'ada', sort)).data.map(({ id }) => id);
      for (const size of [1, 2, 3, 4]) {
        expect(await walk(post, 'ada', `${sort}&per_page=${size}`)).toEqual(whole);
        expect(await turn(post, 'ada', `${sort}&per_page=${size}`)).toEqual(whole);
      }
    }
    const { meta } = await list(post, 'ada', '&cursor=&per_page=3');
    const cursor = encodeURIComponent(meta.next_cursor ?? '');
    await tenant.http.get(`${post.entries}?search=ada&cursor=${cursor}`).expect(400);
  });

  it('goes on after a cursor when the titles have changed meanwhile', async () => {
    const { author, post } = await magazine();
    const [ada] = await add(author, { name: 'Ada' });
    await add(post, { title: 'one', author: ada }, { title: 'ada' }, { title: 'two', author: ada });
    const { meta, data } = await list(post, 'ada', '&cursor=&per_page=2');
    expect(data.map(({ fields }) => fields.title)).toEqual(['ada', 'two']);
    await tenant.http.patch(`${author.entries}/${ada}`, { fields: { name: 'Max' } }).expect(200);
    const next = await list(post, 'ada', `&cursor=${encodeURIComponent(meta.next_cursor ?? '')}&per_page=2`);
    expect(next).toMatchObject({ data: [], meta: { next_cursor: null } });
    expect(await found(post, 'max')).toBe('one|two');
  });

  it('uses the language of the type referred to for its titles', async () => {
    const types = `/v1/content/${tenant.id}/types`;
    const { body } = await tenant.http.post(types, { name: 'Topic', fields: COMPANY, language: 'en' }).expect(201);
    const topic = { id: body.data.id, path: '', entries: `${types}/${body.data.id}/entries` };
    const post = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'topic', type: 'reference', content_type: topic.id },
    ]);
    const [closures] = await add(topic, { name: 'Closures everywhere' });
    await add(post, { title: 'one', topic: closures }, { title: 'closure' }, { title: 'closures' });
    expect(await found(post, 'closure')).toBe('one|closure');
    expect(await found(post, '"closure"')).toBe('closure');
    expect(await found(post, '-closure')).toBe('closures');
    await tenant.http.put(`${types}/${topic.id}`, { language: null }).expect(200);
    expect(await found(post, 'closure')).toBe('closure');
  });

  it('finds a type’s own titles, and follows a reference only once', async () => {
    const post = await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
    await tenant.http
      .put(post.path, {
        fields: [
          { name: 'title', type: 'text' },
          { name: 'parent', type: 'reference', content_type: post.id },
        ],
      })
      .expect(200);
    const [root] = await add(post, { title: 'Root' });
    const [child] = await add(post, { title: 'Child', parent: root });
    await add(post, { title: 'Grandchild', parent: child });
    expect(await found(post, 'root')).toBe('Root|Child');
    await tenant.http.patch(`${post.entries}/${root}`, { fields: { parent: root } }).expect(200);
    expect(await ranked(post, 'root')).toBe('Root|Child');
  });

  it('follows changes of the title field, and ignores deleted entries and types', async () => {
    const { author, company, post } = await magazine();
    const [ada, max] = await add(author, { name: 'Ada', motto: 'never' }, { name: 'Ada Max' });
    const [acme] = await add(company, { name: 'Acme' });
    await add(post, { title: 'one', author: ada }, { title: 'two', author: max }, { title: 'three', by: [acme] });
    expect(await found(post, 'ada')).toBe('one|two');
    await tenant.http.delete(`${author.entries}/${max}`).expect(200);
    expect(await found(post, 'ada')).toBe('one');
    expect(await found(post, '-ada')).toBe('two|three');
    await tenant.http.put(author.path, { fields: AUTHOR.filter(({ name }) => name !== 'name') }).expect(200);
    expect(await found(post, 'ada')).toBe('');
    expect(await found(post, 'never')).toBe('one');
    expect(await found(post, 'acme')).toBe('three');
    await tenant.http.delete(company.path).expect(200);
    expect(await found(post, 'acme')).toBe('');
    expect(await found(post, 'never or acme')).toBe('one');
  });

  it('finds nothing more in a type without references, or whose references have no titles', async () => {
    const plain = await createType(tenant, COMPANY, 'Plain');
    await add(plain, { name: 'Ada' });
    expect((await list(plain, 'ada')).meta.total).toBe(1);
    const untitled = await createType(tenant, [{ name: 'text', type: 'rich_text' }], 'Untitled');
    const [note] = await add(untitled, { text: 'Ada' });
    const post = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'note', type: 'reference', content_type: untitled.id },
    ]);
    await add(post, { title: 'one', note });
    expect(await found(post, 'ada')).toBe('');
  });

  describe('for readers with less access', () => {
    it('ignores titles of drafts with a key for published entries', async () => {
      const { author, post } = await magazine();
      const [ada] = await createEntries(tenant, author, [{ fields: { name: 'Ada' }, status: 'draft' }]);
      await add(post, { title: 'one', author: ada }, { title: 'ada' });
      await createEntries(tenant, post, [{ fields: { title: 'ada draft', author: ada } }]);
      expect(await found(post, 'ada')).toBe('one|ada|ada draft');
      expect(await found(post, 'ada', '', published())).toBe('ada');
      expect(await ranked(post, 'ada', '', published())).toBe('ada');
      expect(await found(post, '-ada', '', published())).toBe('one');
      await tenant.http.patch(`${author.entries}/${ada}`, { status: 'published' }).expect(200);
      expect(await found(post, 'ada', '', published())).toBe('one|ada');
      expect(await found(post, '-ada', '', published())).toBe('');
    });

    it('reads only titles of public types without a key', async () => {
      const { author, company, post } = await magazine();
      const [ada, draft] = await createEntries(tenant, author, [
        { fields: { name: 'Ada' }, status: 'published' },
        { fields: { name: 'Ada' }, status: 'draft' },
      ]);
      const [acme] = await add(company, { name: 'Acme' });
      await add(
        post,
        { title: 'one', author: ada },
        { title: 'two', by: [acme] },
        { title: 'three', author: draft },
        { title: 'ada' },
      );
      await createEntries(tenant, post, [{ fields: { title: 'draft', author: ada } }]);
      await tenant.http.get(pathOf(post, 'ada')).expect(200);
      await app.client().get(pathOf(post, 'ada')).expect(401);
      await tenant.http.put(post.path, { public: true }).expect(200);
      expect(await found(post, 'ada', '', app.client())).toBe('ada');
      expect(await found(post, '-ada -acme', '', app.client())).toBe('one|two|three');
      await tenant.http.put(author.path, { public: true }).expect(200);
      expect(await found(post, 'ada or acme', '', app.client())).toBe('one|ada');
      expect(await ranked(post, 'ada', '', app.client())).toBe('ada|one');
      await tenant.http.put(author.path, { public: false }).expect(200);
      expect(await found(post, 'ada', '', app.client())).toBe('ada');
    });

    it('does not use a schema that another process has made stale', async () => {
      const { author, post } = await magazine();
      const [ada] = await add(author, { name: 'Ada' });
      await add(post, { title: 'one', author: ada });
      await tenant.http.put(post.path, { public: true }).expect(200);
      await tenant.http.put(author.path, { public: true }).expect(200);
      expect(await found(post, 'ada', '', app.client())).toBe('one');
      // As another process changes it.
      await app.database.query('UPDATE content_types SET public = false, version = version + 1 WHERE id = $1', [
        (
          await app.database.query<{ id: string }>(
            `SELECT id FROM content_types WHERE tenant_id = $1 AND slug = 'author'`,
            [tenant.id],
          )
        )[0]?.id,
      ]);
      expect(await found(post, 'ada', '', app.client())).toBe('');
    });
  });

  it('finds exactly the phrases of titles behind or in long texts, which the index does not record', async () => {
    const { author, post } = await magazine();
    const words = (count: number, word: (index: number) => string) => Array.from({ length: count }, (_, i) => word(i));
    const long = `<p>${words(17_000, (index) => `w${index % 500}`).join(' ')}</p>`;
    const often = `<p>${words(300, () => 'ada').join(' ')}</p>`;
    const huge = `<p>${words(60_000, (index) => `unique${index}`).join(' ')}</p>`;
    const authors = await add(
      author,
      { bio: long, name: 'Ada King' },
      { bio: often, name: 'King Ada' },
      { bio: huge, name: 'Countess Ada King' },
      { bio: `${long}<p>ada king</p>`, name: 'King of Ada' },
      { name: `${words(300, () => 'ada').join(' ')} king` },
      { bio: huge, name: 'Nobody' },
    );
    await add(post, ...authors.map((id, index) => ({ title: `p${index}`, author: id })));
    expect(await found(post, '"ada king"')).toBe('p0|p2|p4');
    expect(await found(post, '"king ada"')).toBe('p1');
    expect(await found(post, 'countess')).toBe('p2');
    expect(await found(post, 'count*')).toBe('p2');
    expect(await found(post, '-"ada king"')).toBe('p1|p3|p5');
    expect(await found(post, 'unique3')).toBe('');
    expect(await found(post, 'ada')).toBe('p0|p1|p2|p3|p4');
    const { body } = await tenant.http.patch(`${author.entries}/${authors[2]}`, { status: 'draft' }).expect(200);
    expect(body.data.status).toBe('draft');
    expect(await found(post, '"ada king"', '', published())).toBe('p0|p4');
  }, 240_000);

  it('returns 400 for words of very many titles, and for too many words', async () => {
    const { author, post } = await magazine();
    const [typeId] = await app.database.query<{ id: string }>(
      `SELECT id FROM content_types WHERE tenant_id = $1 AND slug = 'author'`,
      [tenant.id],
    );
    const partition = typeId?.id.slice(-5);
    await app.database.query(
      `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
        SELECT $1, $2, gen_random_uuid(), ('''' || $3 || 'ada'':1A ''' || $3 || '=Aada''')::tsvector FROM generate_series(1, 5001)`,
      [tenant.id, typeId?.id, partition],
    );
    const [max] = await add(author, { name: 'Max' });
    await add(post, { title: 'one', author: max }, { title: 'ada' });
    const { body } = await tenant.http.get(pathOf(post, 'ada')).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'search' }] });
    expect(body.detail).toContain('5000 titles');
    await tenant.http.get(pathOf(post, 'max -ada', '&cursor=')).expect(400);
    expect(await found(post, 'max')).toBe('one');
    // Titles that the reader cannot see do not count.
    expect(await found(post, 'ada', '', published())).toBe('ada');
    // Two content types are referred to, so each word is looked up twice.
    const words = (count: number) => Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index));
    await tenant.http.get(pathOf(post, words(250).join(' '))).expect(200);
    const long = await tenant.http.get(pathOf(post, words(251).join(' '))).expect(400);
    expect(long.body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'search' }] });
    await tenant.http.get(`${post.entries}?search=${encodeURIComponent(words(251).join(' '))}`).expect(200);
  }, 240_000);

  it('finds thousands of entries that refer to one title, in one order', async () => {
    const { author, post } = await magazine();
    const [ada] = await add(author, { name: 'Ada' });
    await add(post, { title: 'ada', author: ada }, { title: 'engine ada' });
    const [type] = await app.database.query<{ id: string }>(
      `SELECT id FROM content_types WHERE tenant_id = $1 AND slug = 'post'`,
      [tenant.id],
    );
    await app.database.query(
      `WITH made AS (
        SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id, n FROM generate_series(1, 6000) n
      ), entry AS (
        INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
        SELECT $1, $2, id, json_build_object('title', 't' || n, 'author', $3::text), 60, 'published', 1, now(), now() FROM made
      ), value AS (
        INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
        SELECT $1, $2, 'author', $3, '', id FROM made
      ), counted AS (
        INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 1000, 0, 6000)
      )
      INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
      SELECT $1, $2, id, array_to_tsvector(ARRAY[$4, $4 || 't' || n, $4 || CASE n % 50 WHEN 0 THEN 'engine' ELSE 'other' END]) FROM made`,
      [tenant.id, type?.id, ada, type?.id.slice(-5)],
    );
    const first = await list(post, 'ada', '&per_page=3');
    expect(first.meta.total).toBe(6_002);
    expect(titlesOf(first)).toEqual(['ada', 'engine ada', 't6000']);
    expect(titlesOf(await list(post, 'ada', '&per_page=3&page=2001'))).toEqual(['t2', 't1']);
    expect((await list(post, '-ada')).meta.total).toBe(0);
    const engines = await list(post, 'ada engine', '&per_page=100&sort=created_at');
    expect(engines.meta.total).toBe(121);
    expect(titlesOf(engines)[0]).toBe('t50');
    const byPage = await turn(post, 'ada engine', '&per_page=50');
    expect(byPage).toHaveLength(121);
    expect(await walk(post, 'ada engine', '&per_page=50')).toEqual(byPage);
    expect(new Set(byPage).size).toBe(121);
    // More matches of their own words than are ranked, and then the others.
    const all = await turn(post, 'other or ada', '&per_page=100');
    expect(new Set(all).size).toBe(6_002);
    expect(await walk(post, 'other or ada', '&per_page=100')).toEqual(all);
    const others = await list(post, 'other or ada', '&per_page=2&page=2942');
    expect(titlesOf(others)).toEqual(['t6000', 't5950']);
  }, 240_000);
});

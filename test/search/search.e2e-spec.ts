import { runAtOnce } from '../../src/admission/sliced-work.js';
import { documentOf } from '../../src/content/entries/writes/stored-form.js';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import { Schema } from '../../src/fields/schema.js';
import { parseId } from '../../src/ids/type-id.js';
import { tsvectorArray } from '../../src/search/tsvector.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { integersFrom } from '../support/integers.js';

const FIELDS: FieldDefinition[] = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'teaser', type: 'text' },
  { name: 'kind', type: 'select', options: ['Blue whale', 'other'] },
  { name: 'email', type: 'email' },
  { name: 'url', type: 'url' },
  { name: 'price', type: 'number' },
  { name: 'stock', type: 'integer' },
  { name: 'cover', type: 'media' },
];

interface Page {
  data: { id: string; fields: { title?: string } }[];
  meta: { total?: number; next_cursor?: string | null };
}

describe('search', () => {
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

  const search = async (text: string, more = ''): Promise<Page> => {
    const { body } = await tenant.http.get(`${type.entries}?search=${encodeURIComponent(text)}${more}`).expect(200);
    return body as Page;
  };
  const ranked = async (text: string, more = ''): Promise<string> =>
    (await search(text, more)).data.map(({ fields }) => fields.title).join('|');
  /** The titles in the order in which they were created. */
  const found = (text: string): Promise<string> => ranked(text, '&sort=created_at&per_page=100');
  const add = (...fields: object[]) =>
    createEntries(
      tenant,
      type,
      fields.map((values) => ({ fields: values })),
    );

  /** Writes many entries at once, as the service does it for one. They are older than those of the API. */
  const addMany = async (entries: { title: string; body?: string }[]): Promise<void> => {
    const typeId = parseId('ct', type.id) ?? '';
    const schema = Schema.compile(FIELDS, 'content');
    const documents = entries.map((entry) =>
      runAtOnce(documentOf({ id: typeId, schema, stem: undefined }, { ...entry })),
    );
    await app.database.query(
      `WITH made AS (
        SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid AS id, fields, words, gaps, sequence
        FROM unnest($3::text[], $4::tsvector[], $5::int[], $6::text[]) WITH ORDINALITY AS m (fields, words, gaps, sequence, number)
      ), entry AS (
        INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
        SELECT $1, $2, id, fields::json, octet_length(fields), 'published', 1, now(), now() FROM made
      ), counted AS (
        INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 0, 0, $7)
      )
      INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words, gaps, sequence)
      SELECT $1, $2, id, words, gaps, sequence FROM made`,
      [
        tenant.id,
        typeId,
        entries.map((entry) => JSON.stringify(entry)),
        tsvectorArray(documents.map(({ vector }) => vector)),
        documents.map(({ gaps }) => gaps),
        documents.map(({ sequence }) => sequence),
        entries.length,
      ],
    );
    await app.database.query('ANALYZE entries, entry_words');
  };

  describe('in long texts', () => {
    it('finds exactly what a reference finds that reads the texts', async () => {
      const next = integersFrom(20_260_101);
      // The first words are in every text, thousands of times; the last ones are rare.
      const vocabulary = [...'abcdefghij'].map((letter) => `w${letter}`);
      const rare = Array.from({ length: 200 }, (_, index) => `rare${index}`);
      const word = () => (next(400) === 0 ? rare[next(rare.length)]! : vocabulary[Math.min(next(10), next(10))]!);
      const texts = Array.from({ length: 10 }, (_, index) => {
        const length = index < 8 ? 30_000 : 200;
        return Array.from({ length }, word);
      });
      for (const [index, text] of texts.entries()) await add({ title: `t${index}`, body: `<p>${text.join(' ')}</p>` });

      const joined = texts.map((text) => ` ${text.join(' ')} `);
      const contains = (phrase: string) => joined.map((text) => text.includes(` ${phrase} `));
      const phrase = () => {
        const text = texts[next(texts.length)]!;
        const length = 2 + next(4);
        const from = next(3) > 0 ? next(text.length - length) : text.length - length;
        const words = text.slice(from, from + length);
        // One in three occurs in no text, or in others.
        if (next(3) === 0) words[next(length)] = word();
        return words.join(' ');
      };
      let hits = 0;
      for (let count = 0; count < 80; count++) {
        const [one, other, excluded] = [phrase(), count % 2 ? rare[next(200)]! : vocabulary[9]!, phrase()];
        const cases: [string, boolean[]][] = [
          [`"${one}"`, contains(one)],
          [`"${one}" ${other}`, contains(one).map((holds, index) => holds && contains(other)[index]!)],
          [`${other} -"${excluded}"`, contains(other).map((holds, index) => holds && !contains(excluded)[index]!)],
          [`"${one}" or "${excluded}"`, contains(one).map((holds, index) => holds || contains(excluded)[index]!)],
          [one.replaceAll(' ', '-'), contains(one)],
        ];
        const [text, expected] = cases[count % cases.length]!;
        const titles = expected.flatMap((holds, index) => (holds ? [`t${index}`] : []));
        hits += titles.length;
        const { data, meta } = await search(text, '&sort=created_at');
        expect({ text, titles: data.map(({ fields }) => fields.title) }).toEqual({ text, titles });
        expect(meta.total).toBe(titles.length);
        expect((await search(text)).meta.total).toBe(titles.length);
      }
      expect(hits).toBeGreaterThan(100);
    });

    it('finds every word of a text with more words than an index entry can hold', async () => {
      const words = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
      await add(
        { title: 'many', body: `${words.join(' ')} the very end` },
        { title: 'other', body: 'n5 the very end' },
      );
      expect(await found('n99999')).toBe('many');
      expect(await found('"n99998 n99999"')).toBe('many');
      expect(await found('"n99999 n99998"')).toBe('');
      expect(await found('n5')).toBe('many|other');
      expect(await found('end -n99999')).toBe('other');
      expect(await found('end -n5')).toBe('');
      expect(await found('nowhere')).toBe('');
      expect(await found('-nowhere')).toBe('many|other');
      expect(await found('n9999*')).toBe('many');
      expect(await found('nowhere or "very end"')).toBe('many|other');
    });
  });

  describe('reads', () => {
    it('every kind of text', async () => {
      await add({
        title: 'all',
        body: '<p>See <a href="https://example.com/deep/link-target?q=1">this</a> <img src="/x.png" alt="A red panda">end</p>',
        teaser: 'Short',
        kind: 'Blue whale',
        email: 'jane.doe@example.org',
        url: 'https://trivet.example.net/a_b',
        price: 12.5,
        stock: 77_123,
        cover: { url: '/file.png', alt: 'A lighthouse' },
      });
      for (const text of [
        'link-target',
        'example.com',
        '"red panda"',
        'short',
        'blue',
        'jane.doe@example.org',
        'doe',
        'a_b',
      ]) {
        expect({ text, found: await found(text) }).toEqual({ text, found: 'all' });
      }
      for (const text of ['12.5', '77123', 'lighthouse', '"see this end"']) {
        expect({ text, found: await found(text) }).toEqual({ text, found: 'all' });
      }
      for (const text of ['href', '"this a red"', 'file.png', '"end short"']) {
        expect({ text, found: await found(text) }).toEqual({ text, found: '' });
      }
    });

    it('names with signs, parts of identifiers, emoji and other spellings', async () => {
      await add(
        { title: 'C++ for beginners' },
        { title: 'C# in depth' },
        { title: 'The C language' },
        { title: '.NET basics' },
        { title: 'Net of fish' },
        { title: 'R&D at AT&T' },
        { title: 'I ❤️ std::fmt' },
        { title: 'x86_64-unknown 👍🏽' },
        { title: 'Jürgen Müller, Straße' },
        { title: 'Juergen Mueller, Strasse' },
        { title: 'co\u00adope\u200dration' },
      );
      const cases: Record<string, string> = {
        'c++': 'C++ for beginners',
        'C#': 'C# in depth',
        c: 'C++ for beginners|C# in depth|The C language',
        '.net': '.NET basics',
        net: '.NET basics|Net of fish',
        '"c++ for"': 'C++ for beginners',
        'r&d': 'R&D at AT&T',
        '"d at at&t"': 'R&D at AT&T',
        '"r&d at at t"': 'R&D at AT&T',
        't&a': '',
        '-c -net -a': [
          'R&D at AT&T',
          'I ❤️ std::fmt',
          'x86_64-unknown 👍🏽',
          'Jürgen Müller, Straße',
          'Juergen Mueller, Strasse',
          'co\u00adope\u200dration',
        ].join('|'),
        '❤': 'I ❤️ std::fmt',
        '❤️': 'I ❤️ std::fmt',
        '👍': 'x86_64-unknown 👍🏽',
        '💙': '',
        'std::fmt': 'I ❤️ std::fmt',
        fmt: 'I ❤️ std::fmt',
        unknown: 'x86_64-unknown 👍🏽',
        x86_64: 'x86_64-unknown 👍🏽',
        'jürgen müller': 'Jürgen Müller, Straße|Juergen Mueller, Strasse',
        'juergen mueller': 'Jürgen Müller, Straße|Juergen Mueller, Strasse',
        'jurgen straße': 'Jürgen Müller, Straße',
        '"müller strasse"': 'Jürgen Müller, Straße|Juergen Mueller, Strasse',
        cooperation: 'co\u00adope\u200dration',
      };
      for (const [text, titles] of Object.entries(cases)) {
        expect({ text, titles: await found(text) }).toEqual({ text, titles });
      }
    });

    it('a star as the end of a word, if at least two characters stand before it', async () => {
      await add({ title: 'Compiler' }, { title: 'Competition' }, { title: 'C*' }, { title: 'ask: state of theory' });
      expect(await found('comp*')).toBe('Compiler|Competition');
      expect(await found('COMPI*')).toBe('Compiler');
      expect(await found('c*')).toBe('C*');
      expect(await found('*')).toBe('');
      expect(await found('state-of-th*')).toBe('ask: state of theory');
      expect(await found('-comp* -c')).toBe('ask: state of theory');
      expect(await found('"comp*"')).toBe('');
    });
  });

  describe('puts first', () => {
    const filler = (words: number) => 'lorem ipsum dolor '.repeat(words / 3);

    it('the title, then headings, then the rest', async () => {
      await add(
        { title: 'Whale watching' },
        { title: 'rest', body: `<p>whale ${filler(30)}</p>` },
        { title: 'heading', body: `<h2>The whale</h2><p>${filler(30)}</p>` },
        { title: 'often', body: `<p>${'whale watching '.repeat(20)}</p>` },
        { title: 'teaser', teaser: 'whale' },
      );
      const titles = (await ranked('whale')).split('|');
      expect(titles.slice(0, 2)).toEqual(['Whale watching', 'heading']);
      expect(titles).toHaveLength(5);
    });

    it('a title that has nothing else', async () => {
      await add({ title: 'Cargo' }, { title: 'Cargo workspaces' }, { title: 'Publishing with cargo on the web' });
      expect(await ranked('cargo')).toBe('Cargo|Cargo workspaces|Publishing with cargo on the web');
      expect(await ranked('cargo workspaces')).toBe('Cargo workspaces');
    });

    it('a phrase, then words near each other, then words apart', async () => {
      await add(
        { title: 'phrase', body: `${filler(60)} borrow checker ${filler(60)}` },
        { title: 'near', body: `${filler(60)} the checker of a borrow ${filler(60)}` },
        { title: 'apart', body: `checker ${filler(120)} borrow` },
      );
      expect(await ranked('borrow checker')).toBe('phrase|near|apart');
    });

    it('rare words before frequent ones', async () => {
      await add(
        { title: 'The needle', body: 'common' },
        { title: 'The common', body: 'needle' },
        ...Array.from({ length: 20 }, (_, index) => ({ title: `common ${index}`, body: 'hay' })),
      );
      expect(await ranked('common needle')).toBe('The needle|The common');
      expect((await ranked('common or needle')).split('|').slice(0, 2).sort()).toEqual(['The common', 'The needle']);
    });

    it('no text because it is long', async () => {
      await add(
        { title: 'short', body: `<p>The otter swims. ${filler(21)}</p>` },
        { title: 'long', body: `<p>${filler(9_000)} otter ${filler(9_000)} otter ${filler(9_000)} otter</p>` },
      );
      expect(await ranked('otter')).toBe('short|long');
    });

    it('an old entry that is named like the query, among any number of matches, in one order by page and by cursor', async () => {
      await addMany([
        { title: 'Tide' },
        ...Array.from({ length: 1_200 }, (_, index) => ({
          title: `Report ${index}`,
          body: '<p>About the tide at sea.</p>',
        })),
        ...Array.from({ length: 1_100 }, (_, index) => ({ title: `Tide table of day ${index}` })),
        { title: 'The tide and the moon', body: 'tide '.repeat(20) },
      ]);
      await add({ title: 'Newest', body: 'tide' });
      const paged: string[] = [];
      for (let page = 1; page <= 24; page++) {
        const { data, meta } = await search('tide', `&per_page=100&page=${page}`);
        expect(meta.total).toBe(2_303);
        paged.push(...data.map(({ fields }) => fields.title ?? ''));
      }
      expect(paged.slice(0, 3)).toEqual(['Tide', 'The tide and the moon', 'Tide table of day 1099']);
      expect(paged[1_101]).toBe('Tide table of day 0');
      expect(paged[1_102]).toBe('Newest');
      expect(paged.at(-1)).toBe('Report 0');
      expect(new Set(paged).size).toBe(2_303);
      const walked: string[] = [];
      for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
        const { data, meta }: Page = await search('tide', `&per_page=90&cursor=${cursor}`);
        walked.push(...data.map(({ fields }) => fields.title ?? ''));
        cursor = meta.next_cursor;
      }
      expect(walked).toEqual(paged);
      expect((await search('tide', '&page=1000')).data).toEqual([]);
      expect((await search('tide', '&filter[status]=draft')).meta.total).toBe(1);
      expect(await ranked('tide moon')).toBe('The tide and the moon');
    });
  });
});

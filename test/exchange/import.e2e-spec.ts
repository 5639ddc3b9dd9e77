import { connect } from 'node:net';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, LISTED_FIELDS, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'slug', type: 'text', unique: true },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'price', type: 'number' },
  { name: 'extra', type: 'json' },
];

interface Answer {
  status: number;
  type: string | null;
  lines: Record<string, unknown>[];
}

describe('an import', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function scene(fields: object[] = FIELDS) {
    const tenant = app.tenant();
    return { tenant, type: await createType(tenant, fields, 'Post') };
  }

  async function send(
    tenant: TestTenant,
    type: TestType,
    body: string | ReadableStream,
    { query = '', contentType = 'application/x-ndjson' }: { query?: string; contentType?: string } = {},
  ): Promise<Answer> {
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': contentType };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const response = await fetch(`${app.url}${type.entries}/import?${query}`, init);
    const text = await response.text();
    const lines = text.split('\n').filter(Boolean);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  }

  const csv = (query = '') => ({ query, contentType: 'text/csv; charset=utf-8' });
  const ndjson = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const entriesOf = async (tenant: TestTenant, type: TestType) =>
    (await tenant.http.get(`${type.entries}?sort=id&per_page=100`).expect(200)).body.data as {
      fields: Record<string, unknown>;
      status: string;
    }[];
  const done = (counts: object) => ({ done: true, created: 0, updated: 0, unchanged: 0, failed: 0, ...counts });

  it('needs a key that may write content', async () => {
    const { tenant, type } = await scene();
    expect((await send({ ...tenant, key: 'nope' }, type, '')).status).toBe(401);
    expect((await send(app.tenant(), type, '')).status).toBe(403);
  });

  it('creates an entry for each line, and reports bad lines with their numbers', async () => {
    const { tenant, type } = await scene();
    const body = `${ndjson({ fields: { title: 'One', slug: 'one' } })}\nnot json\n${ndjson(
      { fields: { slug: 'two' } },
      { fields: { title: 'Two', slug: 'one' } },
      { id: 'ent_x', created_at: 'x', fields: { title: 'Three' }, status: 'published' },
      { fields: { title: 'Four' }, state: 'x' },
      { fields: { title: 'a\0b', price: 'dear' } },
    )}[]`;
    const { status, type: contentType, lines } = await send(tenant, type, body);
    expect([status, contentType]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(lines.at(-1)).toEqual(done({ created: 2, failed: 6 }));
    expect(
      lines.slice(0, -1).map(({ line, problem }) => {
        const { code, errors } = problem as { code: string; errors?: { path: string; code: string }[] };
        return [line, code, ...(errors ?? []).map((error) => `${error.path} ${error.code}`)];
      }),
    ).toEqual([
      [3, 'malformed_json'],
      [4, 'validation_failed', 'fields.title required'],
      [5, 'validation_failed', 'fields.slug unique'],
      [7, 'validation_failed', 'state unknown_property'],
      [8, 'validation_failed', 'fields.title text', 'fields.price type'],
      [9, 'malformed_json'],
    ]);
    expect((await entriesOf(tenant, type)).map(({ fields, status: own }) => [fields['title'], own])).toEqual([
      ['One', 'draft'],
      ['Three', 'published'],
    ]);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('upserts by a unique field, so that it can be run again', async () => {
    const { tenant, type } = await scene();
    const body = ndjson(
      { fields: { title: 'One', slug: 'one' } },
      { fields: { title: 'Two', slug: 'two' }, status: 'draft' },
      { fields: { title: 'None' } },
    );
    const query = 'key=slug&status=published';
    expect((await send(tenant, type, body, { query })).lines).toMatchObject([
      { line: 3, problem: { errors: [{ path: 'fields.slug', code: 'required' }] } },
      done({ created: 2, failed: 1 }),
    ]);
    expect((await send(tenant, type, body, { query })).lines.at(-1)).toEqual(done({ unchanged: 2, failed: 1 }));
    const more = ndjson({ fields: { slug: 'two', title: null } }, { fields: { slug: 'one', title: '1' } });
    expect((await send(tenant, type, more, { query })).lines).toMatchObject([
      { line: 1, problem: { errors: [{ path: 'fields.title', code: 'required' }] } },
      done({ updated: 1, failed: 1 }),
    ]);
    expect((await entriesOf(tenant, type)).map(({ fields, status }) => [fields['title'], status])).toEqual([
      ['1', 'published'],
      ['Two', 'draft'],
    ]);
  });

  it('reads CSV: a header, quotation marks, lists, empty cells, formulas', async () => {
    const { tenant, type } = await scene();
    const body = [
      '\ufefftitle,slug,tags,price,extra,status',
      '"One, ""1""\nsecond line",one,a|b\\|c,-1.5,"{""a"":[1]}",published',
      'Two,,,,,',
      "'=1+1,'-x,'=a|b,,,draft",
      'Bad,bad,,dear,{,',
      'Bad,"bad"x',
      'Bad,,,,,,7',
      'Last,last',
    ].join('\r\n');
    const { lines } = await send(tenant, type, body, csv());
    expect(lines).toMatchObject([
      {
        line: 6,
        problem: {
          code: 'validation_failed',
          errors: [
            { path: 'fields.extra', code: 'format' },
            { path: 'fields.price', code: 'type' },
          ],
        },
      },
      { line: 7, problem: { code: 'malformed_csv' } },
      { line: 8, problem: { code: 'malformed_csv' } },
      done({ created: 4, failed: 3 }),
    ]);
    expect((await entriesOf(tenant, type)).map(({ fields, status }) => [fields, status])).toEqual([
      [
        { title: 'One, "1"\nsecond line', slug: 'one', tags: ['a', 'b|c'], price: -1.5, extra: { a: [1] } },
        'published',
      ],
      [{ title: 'Two' }, 'draft'],
      [{ title: '=1+1', slug: '-x', tags: ['=a', 'b'] }, 'draft'],
      [{ title: 'Last', slug: 'last' }, 'draft'],
    ]);
    const again = 'slug,price,title\none,2,\n';
    expect((await send(tenant, type, again, csv('key=slug'))).lines).toEqual([done({ updated: 1 })]);
    expect((await entriesOf(tenant, type))[0]?.fields).toMatchObject({ title: 'One, "1"\nsecond line', price: 2 });
    await expectConsistentContent(app.database, tenant.id);
  });

  it('is refused before its first line if the request or the header is wrong', async () => {
    const { tenant, type } = await scene();
    const refused = async (body: string, options: Parameters<typeof send>[3], path = type) => {
      const { status, lines } = await send(tenant, path, body, options);
      return [status, (lines[0] as { code: string }).code];
    };
    expect(await refused('{}', { contentType: 'application/json' })).toEqual([415, 'unsupported_media_type']);
    expect(await refused('', { query: 'key=nope' })).toEqual([400, 'unknown_field']);
    expect(await refused('', { query: 'key=title' })).toEqual([400, 'invalid_parameter']);
    expect(await refused('', { query: 'status=x' })).toEqual([400, 'invalid_parameter']);
    expect(await refused('', { query: 'nope=x' })).toEqual([400, 'unknown_parameter']);
    expect(await refused('title,titel\nA,B\n', csv())).toEqual([422, 'validation_failed']);
    expect(await refused('title,title\nA,B\n', csv())).toEqual([422, 'validation_failed']);
    expect(await refused('title\nA\n', csv('key=slug'))).toEqual([422, 'validation_failed']);
    const nowhere = { ...type, entries: type.entries.replace(type.id, 'nowhere') };
    expect(await refused('', {}, nowhere)).toEqual([404, 'not_found']);
    expect((await send(tenant, type, '', {})).lines).toEqual([done({})]);
    expect((await send(tenant, type, '', csv())).lines).toEqual([done({})]);
    expect(await entriesOf(tenant, type)).toEqual([]);
  });

  it('counts every line of a record whose quotation mark is never closed, and names them', async () => {
    const { tenant, type } = await scene();
    const rows = Array.from({ length: 20 }, (_, index) => `Title ${index},s${index}`);
    const { lines } = await send(tenant, type, ['title,slug', 'One,a', '"Broken,b', ...rows, ''].join('\n'), csv());
    expect(lines).toEqual([
      expect.objectContaining({ line: 3, last_line: 23, problem: expect.objectContaining({ code: 'malformed_csv' }) }),
      done({ created: 1, failed: 21 }),
    ]);
    expect((lines[0]?.['problem'] as { detail: string }).detail).toMatch(/lines 3 to 23 could not be read/);
    // The mark of a later cell ends the lost lines. What a cell of several lines contains is never taken for entries.
    const closed = await send(
      tenant,
      type,
      'title,slug\n"Broken,b\nTwo,c\n"Three",d\nFour,e\n"Five,f\nSix"\nSeven,h\n',
      csv(),
    );
    expect(closed.lines.map(({ line, last_line }) => [line, last_line])).toEqual([
      [2, 4],
      [6, 7],
      [undefined, undefined],
    ]);
    expect(closed.lines.at(-1)).toEqual(done({ created: 2, failed: 5 }));
    const titles = (await entriesOf(tenant, type)).map(({ fields }) => fields['title']);
    expect(titles).toEqual(['One', 'Four', 'Seven']);
  });

  it('reads what spreadsheets write: empty rows, columns without a name, semicolons, tabs, a named separator', async () => {
    const { tenant, type } = await scene();
    const files = [
      'title,slug,,\r\nA,a,,\r\n,,,\r\n"","",,\r\n\r\n',
      '\ufefftitle;price\r\n"B;b";1.5\r\n;\r\n',
      'sep=;\r\ntitle;slug\r\nC,c;c\r\n',
      'title\tslug\nD\td\n',
    ];
    for (const file of files) {
      const { lines } = await send(tenant, type, file, csv());
      expect([file, lines]).toEqual([file, [done({ created: 1 })]]);
    }
    expect((await entriesOf(tenant, type)).map(({ fields }) => fields)).toEqual([
      { title: 'A', slug: 'a' },
      { title: 'B;b', price: 1.5 },
      { title: 'C,c', slug: 'c' },
      { title: 'D', slug: 'd' },
    ]);
    const unnamed = await send(tenant, type, 'title,\nE,e\n', csv());
    expect((unnamed.lines[0]?.['problem'] as { detail: string }).detail).toBe(
      'Column 2 has a value, but no name in the header.',
    );
  });

  it('says what is wrong with a file as a whole', async () => {
    const { tenant, type } = await scene();
    const detailOf = async (body: string | Buffer, contentType: string) => {
      const { status, lines } = await send(tenant, type, body as string, { contentType });
      return [status, lines[0]?.['detail']];
    };
    const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le');
    const looksLikeUtf16 = [400, expect.stringContaining('looks like UTF-16')];
    const line = '{"fields":{"title":"x"}}\n';
    expect(await detailOf(utf16('title\r\nx\r\n'), 'text/csv')).toEqual(looksLikeUtf16);
    expect(await detailOf(utf16('title\r\nx\r\n', ''), 'text/csv')).toEqual(looksLikeUtf16);
    expect(await detailOf(utf16('title\r\nx\r\n').swap16(), 'text/csv')).toEqual(looksLikeUtf16);
    expect(await detailOf(utf16(line), 'application/x-ndjson')).toEqual(looksLikeUtf16);
    expect(await detailOf(utf16(line, ''), 'application/x-ndjson')).toEqual(looksLikeUtf16);
    expect(await detailOf(Buffer.from('title,é\nx', 'latin1'), 'text/csv')).toEqual([
      400,
      'The header is not valid UTF-8. Save the file as UTF-8.',
    ]);
    expect(await detailOf('title\rx\ry', 'text/csv')).toEqual([400, expect.stringContaining('carriage return alone')]);
    expect(await detailOf(',,\nx,y,z\n', 'text/csv')).toEqual([400, expect.stringContaining('names of the columns')]);
    expect(await detailOf('"title\nx\n', 'text/csv')).toEqual([400, expect.stringContaining('quotation mark')]);
    expect(await detailOf(`title,${'x'.repeat(1_100_000)}\na`, 'text/csv')).toEqual([
      413,
      expect.stringContaining('The header is larger'),
    ]);
    for (const array of [`[${line.trim()}]`, ` [\n${line}]`]) {
      expect(await detailOf(array, 'application/x-ndjson')).toEqual([400, expect.stringContaining('JSON array')]);
    }
    expect(await entriesOf(tenant, type)).toEqual([]);
  });

  it('reads lines of JSON by each of their names, with a byte order mark, carriage returns and blank lines', async () => {
    const { tenant, type } = await scene();
    for (const contentType of [
      'application/x-ndjson',
      'application/ndjson; x="a;b"',
      'application/jsonl;charset="UTF-8"',
    ]) {
      const body = '\ufeff{"fields":{"title":"x"}}\r\n  \r\n\n{"fields":{"title":"y"}}';
      expect((await send(tenant, type, body, { contentType })).lines).toEqual([done({ created: 2 })]);
    }
    const detailOf = async (contentType: string) =>
      (await send(tenant, type, 'x', { contentType })).lines[0]?.['detail'];
    expect(await detailOf('text/csv; charset=iso-8859-1')).toBe('Send the lines in UTF-8, not iso-8859-1.');
    expect(await detailOf('text/csv; header=absent')).toMatch(/^Send the lines of CSV with a header/);
    expect(await detailOf('text/plain')).toMatch(/application\/x-ndjson or text\/csv, not text\/plain\.$/);
  });

  it('refuses numbers that would become others', async () => {
    const { tenant, type } = await scene();
    const ofCsv = await send(
      tenant,
      type,
      'title,price,extra\na,9007199254740993,\nb,1e2,[1e-400]\nc,1e2,1.0\n',
      csv(),
    );
    const paths = (lines: Answer['lines']) =>
      lines
        .slice(0, -1)
        .map(({ problem }) =>
          (problem as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`),
        );
    expect(paths(ofCsv.lines)).toEqual([['fields.price number'], ['fields.extra.0 number']]);
    const lines = [
      '{"fields":{"title":"d","price":9007199254740993}}',
      '{"fields":{"title":"e","extra":{"a":[1e-400]}}}',
    ];
    expect(paths((await send(tenant, type, lines.join('\n'))).lines)).toEqual([
      ['fields.price number'],
      ['fields.extra.a.0 number'],
    ]);
    expect((await entriesOf(tenant, type)).map(({ fields }) => fields)).toEqual([{ title: 'c', price: 100, extra: 1 }]);
  });

  it('changes nothing in a dry run', async () => {
    const { tenant, type } = await scene();
    const body = ndjson({ fields: { title: 'One', slug: 'one' } }, { fields: { slug: 'one' } });
    const { lines } = await send(tenant, type, body, { query: 'dry_run=true' });
    expect(lines.at(-1)).toEqual(done({ created: 1, failed: 1 }));
    expect(await entriesOf(tenant, type)).toEqual([]);
  });

  it('commits in batches, while the client still sends', async () => {
    const { tenant, type } = await scene();
    let push: (text: string) => void = () => undefined;
    let end: () => void = () => undefined;
    const body = new ReadableStream({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    const answer = send(tenant, type, body);
    push(ndjson({ fields: { title: 'One' } }) + '{"fields":{"ti');
    await until(async () => (await entriesOf(tenant, type)).length === 1);
    push('tle":"Two"}}');
    end();
    expect((await answer).lines).toEqual([done({ created: 2 })]);
  });

  it('stops when the client goes away, and keeps what is committed', async () => {
    const { tenant, type } = await scene();
    const { port, hostname } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const head = `POST ${type.entries}/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n`;
    socket.write(head + ndjson({ fields: { title: 'One' } }));
    await until(async () => (await entriesOf(tenant, type)).length === 1);
    socket.destroy();
    // The place of the import is free again.
    expect((await send(tenant, type, ndjson({ fields: { title: 'Two' } }))).lines).toEqual([done({ created: 1 })]);
  });

  it('reports a line that is too long, and goes on', async () => {
    const { tenant, type } = await scene();
    const long = { fields: { title: 'x'.repeat(1024 * 1024) } };
    const { lines } = await send(tenant, type, ndjson(long, { fields: { title: 'Short' } }));
    expect(lines).toMatchObject([{ line: 1, problem: { code: 'payload_too_large' } }, done({ created: 1, failed: 1 })]);
  });

  it('imports thousands of lines', async () => {
    const { tenant, type } = await scene(LISTED_FIELDS);
    const count = 2_300;
    const body = Array.from({ length: count }, (_, index) => ({ fields: { title: `Title ${index}`, stock: index } }));
    expect((await send(tenant, type, ndjson(...body))).lines.at(-1)).toEqual(done({ created: count }));
    const { body: list } = await tenant.http.get(`${type.entries}?per_page=1&sort=-stock`).expect(200);
    expect(list).toMatchObject({ data: [{ fields: { stock: count - 1 } }], meta: { total: count } });
    await expectConsistentContent(app.database, tenant.id);
  });
});

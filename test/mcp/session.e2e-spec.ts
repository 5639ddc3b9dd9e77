import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { Assistant, type ToolResult } from '../support/assistant.js';
import { createEntries, createType } from '../support/content.js';
import { makeKey } from '../support/make-key.js';

/** What an assistant called, and what it read in the results, with names in the place of IDs. */
class Transcript {
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();

  constructor(private readonly assistant: Assistant) {}

  name(id: string, name: string): void {
    this.names.set(id, name);
  }

  /** Calls a tool. `read` returns what the assistant keeps of the result. */
  async call<Read>(tool: string, args: object, read: (body: ToolResult['body']) => Read): Promise<Read> {
    this.lines.push(`> ${tool} ${this.text(args)}`);
    const { body } = await this.assistant.call(tool, { ...args });
    const kept = read(body);
    this.lines.push(`< ${this.text(kept)}`);
    return kept;
  }

  private text(value: unknown): string {
    let text = JSON.stringify(value);
    for (const [id, name] of this.names) text = text.replaceAll(id, name);
    return text;
  }
}

describe('the session of an assistant', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** A published article with its author, and one that refers to nothing. */
  async function magazine(tenant: TestTenant) {
    const name = { name: 'name', type: 'text', required: true };
    const authors = await createType(tenant, [name, { name: 'bio', type: 'text' }], 'Author');
    const fields = [
      { name: 'title', type: 'text', required: true, max: 40 },
      { name: 'body', type: 'rich_text' },
      { name: 'author', type: 'reference', content_type: 'author' },
    ];
    const articles = await createType(tenant, fields, 'Article');
    const status = 'published';
    const ada = { fields: { name: 'Ada', bio: 'Counts waves.' }, status };
    const [author = ''] = await createEntries(tenant, authors, [ada]);
    const tides = { title: 'Spring tides and how they come about', body: '<p>The moon pulls.</p>', author };
    const entries = [
      { fields: tides, status },
      { fields: { title: 'Looms' }, status },
    ];
    const [article = ''] = await createEntries(tenant, articles, entries);
    return { article, author };
  }

  it('finds, reads with references, drafts a change after it was told what is wrong, and asks for a review', async () => {
    const tenant = app.tenant();
    const { article, author } = await magazine(tenant);
    const key = await makeKey(tenant, ['content:read', 'content:draft']);
    const assistant = await Assistant.connect(app, tenant.id, key);
    const session = new Transcript(assistant);
    session.name(article, 'ent_tides');
    session.name(author, 'ent_ada');

    await session.call('list_content_types', {}, ({ data }) => data.map(({ slug }: { slug: string }) => slug));
    const search = { content_type: 'article', search: 'moon', select: 'title' };
    const [found] = await session.call('search_entries', search, ({ data }) =>
      data.map(({ id, fields }: { id: string; fields: object }) => ({ id, ...fields })),
    );
    const entry = { entry_id: found.id };
    await session.call('get_entry', { ...entry, include: 'author' }, ({ data, included }) => ({
      ...data.fields,
      included: included[data.fields.author].fields,
    }));
    const long = { title: 'What pulls the sea twice a month: on spring tides', body: '<p>The moon and the sun.</p>' };
    const errorsOf = ({ data }: { data: object }) => data;
    await session.call('validate_entry', { content_type: 'article', ...entry, fields: long }, errorsOf);
    const fields = { ...long, title: 'What pulls the sea' };
    await session.call('validate_entry', { content_type: 'article', ...entry, fields }, errorsOf);
    await session.call('update_entry', { ...entry, fields }, ({ data: { changed, base_version } }) => ({
      changed,
      base_version,
    }));
    const note = 'A shorter title, and the sun.';
    await session.call('request_review', { ...entry, note }, ({ data: { review } }) => [review.by, review.note]);
    await session.call('get_entry', entry, ({ data }) => [data.status, data.fields.title]);

    expect(session.lines).toEqual([
      '> list_content_types {}',
      '< ["article","author"]',
      '> search_entries {"content_type":"article","search":"moon","select":"title"}',
      '< [{"id":"ent_tides","title":"Spring tides and how they come about"}]',
      '> get_entry {"entry_id":"ent_tides","include":"author"}',
      '< {"title":"Spring tides and how they come about","body":"<p>The moon pulls.</p>","author":"ent_ada",' +
        '"included":{"name":"Ada","bio":"Counts waves."}}',
      '> validate_entry {"content_type":"article","entry_id":"ent_tides","fields":{"title":"What pulls the sea twice a month: ' +
        'on spring tides","body":"<p>The moon and the sun.</p>"}}',
      '< {"valid":false,"detail":"1 value is not valid.","errors":[{"path":"fields.title","code":"too_long",' +
        '"message":"title must have at most 40 characters."}]}',
      '> validate_entry {"content_type":"article","entry_id":"ent_tides","fields":{"title":"What pulls the sea",' +
        '"body":"<p>The moon and the sun.</p>"}}',
      '< {"valid":true}',
      '> update_entry {"entry_id":"ent_tides","fields":{"title":"What pulls the sea","body":"<p>The moon and the sun.</p>"}}',
      '< {"changed":["title","body"],"base_version":1}',
      '> request_review {"entry_id":"ent_tides","note":"A shorter title, and the sun."}',
      '< ["made","A shorter title, and the sun."]',
      '> get_entry {"entry_id":"ent_tides"}',
      '< ["published","Spring tides and how they come about"]',
    ]);
    const { body: waiting } = await tenant.http.get(`/v1/content/${tenant.id}/drafts?review=true`).expect(200);
    expect(waiting.data).toMatchObject([{ id: article, fields, review: { by: 'made', note } }]);
    const { body: audit } = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${article}`).expect(200);
    const vias = audit.data.map(({ action, via }: { action: string; via?: string }) => [action, via]);
    expect(vias.slice(0, 2)).toEqual([
      ['review_requested', 'mcp'],
      ['draft_saved', 'mcp'],
    ]);
  });
});

/** What writing compiles to, and what must not compile. */
import { createClient, TrivetError } from '@trivet/client';
import { livePreview } from '@trivet/client/preview';
import { createRequest } from '@trivet/client/request';
import type { EntryId, Schema } from './magazine.js';

const trivet = createClient<Schema>({ url: '', tenant: 'ten_acme', headers: () => ({ 'X-Trivet-Console': '1' }) });
const posts = trivet.entries('post');

declare const author: EntryId<'author'>;
declare const company: EntryId<'company'>;

export async function creating(): Promise<void> {
  const post = await posts.create(
    { title: 'Tides', author, price: 5 },
    { status: 'published', idempotencyKey: 'once' },
  );
  await posts.create({
    title: 'Tides',
    author: 'ent_x',
    cover: { id: 'med_x' },
    extra: { anything: [1] },
    price: null,
  });
  // @ts-expect-error The author is required.
  await posts.create({ title: 'Tides' });
  // @ts-expect-error It is the ID of another type.
  await posts.create({ title: 'Tides', author: company });
  // @ts-expect-error A required value cannot be removed.
  await posts.create({ title: null, author });
  // @ts-expect-error There is no such field.
  await posts.create({ title: 'Tides', author, subtitle: 'x' });
  await posts.create({
    title: 'Tides',
    author,
    sections: [{ block: 'quote', text: 'Twice a day.' }, { block: 'rule' }],
    seo: { title: 'Tides' },
  });
  // @ts-expect-error A quote has a text.
  await posts.create({ title: 'Tides', author, sections: [{ block: 'quote' }] });
  // @ts-expect-error There is no such block.
  await posts.create({ title: 'Tides', author, sections: [{ block: 'video' }] });

  await posts.update(post.id, { title: 'New', price: null }, { ifMatch: post.etag, idempotencyKey: false });
  // @ts-expect-error A required value cannot be removed.
  await posts.update(post.id, { title: null });
  // @ts-expect-error It is a number.
  await posts.update(post.id, { price: '5' });
  await posts.delete(post.id, { ifMatch: post.etag });
  const draft = await posts.drafts.save(post.id, { title: 'Newer' });
  draft.fields.title.length;
  await posts.drafts.publish(post.id, { ifMatch: draft.etag, force: true });
  await posts.schedules.set(post.id, { publish_at: '2027-01-01T00:00:00Z' });
}

export async function submitting(): Promise<void> {
  await trivet.forms.submit('contact', { email: 'a@example.com', message: 'Hello', _t: 'x' });
  await trivet.forms.submit('contact', { email: 'a@example.com', cv: new Blob(['x']), ok: 'true', 'first-name': 'A' });
  // @ts-expect-error The email is required.
  await trivet.forms.submit('contact', { message: 'Hello' });
  // @ts-expect-error It is not one of the options.
  await trivet.forms.submit('contact', { email: 'a@example.com', topic: 'c' });
  // @ts-expect-error There is no such form.
  await trivet.forms.submit('survey', {});
}

export async function receiving(request: Request): Promise<void> {
  const event = await trivet.webhooks.verify(request, ['whsec_new', 'whsec_old']);
  if (event.type === 'entry.published' && 'published_on' in event.data.fields) event.data.fields.published_on?.length;
  if (event.type === 'form.submitted') event.data?.form_id.length;
  // @ts-expect-error There is no such event.
  if (event.type === 'entry.archived') throw new TrivetError('x', { code: 'x' });
}

export async function requesting(): Promise<void> {
  const request = createRequest({ url: '', tenant: 'ten_acme' });
  const forms = await request('listForms', { query: { per_page: 5 } });
  forms.data[0]?.slug.length;
  const form = await trivet.request('getForm', { path: { form_id: 'contact' } });
  form.etag?.length;
  form.data.fields.length;
  await request('createForm', { body: { name: 'Contact', fields: [{ name: 'email', type: 'email' }] } });
  const file = await request('exportEntries', { path: { content_type_id: 'post' } });
  file.body?.getReader();
  await request('uploadMedia', { body: { file: new Blob(['x']), alt: 'A cat' } });
  await request('importEntries', { path: { content_type_id: 'post' }, body: '{}\n' });
  await request('listForms');
  // @ts-expect-error A form is named.
  await request('getForm');
  // @ts-expect-error The parameter is a number.
  await request('listForms', { query: { per_page: '5' } });
  // @ts-expect-error There is no such operation.
  await request('listPages');
  // @ts-expect-error A form has a name.
  await request('createForm', { body: { fields: [] } });
}

export function previewing(): () => void {
  return livePreview({ origin: 'https://cms.example', onChange: ({ fields }) => void fields['title'] });
}

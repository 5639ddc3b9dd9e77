/** Without the types of a schema, everything is loosely typed. */
import { createClient } from '@trivet/client';

const trivet = createClient({ url: 'https://cms.example', tenant: 'ten_acme' });

export async function use(): Promise<void> {
  const { data } = await trivet.entries('anything').list({
    filter: { title: { contains: 'x' }, 'author.name': 'Ada' },
    where: { or: [{ a: 1 }, { b: null }] },
    include: ['author', 'author.company'],
    select: ['title'],
    sort: '-title',
  });
  const title: string = data[0]!.fields['title'].toUpperCase();
  const name: string = data[0]!.fields['author'].fields.name;
  const entry = await trivet.entries('anything').create({ title, name });
  await trivet.entries('anything').update(entry.id, { title: null }, { ifMatch: entry.etag });
  await trivet.forms.submit('contact', { email: 'a@example.com' });
  // @ts-expect-error Options are known all the same.
  await trivet.entries('anything').list({ order: 'title' });
}

import type { TestTenant } from './app.js';
import { createEntries, createType, type TestType } from './content.js';

/** Posts that refer to authors. */
export async function magazine(tenant: TestTenant): Promise<{ posts: TestType; authors: TestType; ada: string }> {
  const authors = await createType(tenant, [{ name: 'name', type: 'text', required: true }], 'Author');
  const posts = await createType(
    tenant,
    [
      { name: 'title', type: 'text', required: true },
      { name: 'body', type: 'rich_text' },
      { name: 'author', type: 'reference', content_type: 'author' },
      { name: 'parts', type: 'blocks', blocks: [{ name: 'quote', fields: [{ name: 'text', type: 'text' }] }] },
      { name: 'extra', type: 'json' },
    ],
    'Post',
  );
  const [ada = ''] = await createEntries(tenant, authors, [{ fields: { name: 'Ada' }, status: 'published' }]);
  return { posts, authors, ada };
}

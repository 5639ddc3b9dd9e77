import { Injectable } from '@nestjs/common';
import { ContentTypeNames } from '../access/narrowing/narrowing.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statements/statement.js';
import { parseIdOrSlug } from '../ids/id-or-slug.js';

const BY_SLUGS = statement<{ slugs: readonly string[] }, { id: string; slug: string }>()(
  'content_type_names.by_slugs',
  'SELECT id, slug FROM content_types WHERE tenant_id = :tenantId AND slug = ANY (:slugs::text[])',
);

const BY_IDS = statement<{ ids: readonly string[] }, { id: string }>()(
  'content_type_names.by_ids',
  'SELECT id FROM content_types WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])',
);

/** Finds the content types that scopes and paths name. Slugs are looked up each time, because they may lead to another type since. */
@Injectable()
export class TypeNames extends ContentTypeNames {
  constructor(private readonly database: Database) {
    super();
  }

  async find(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const slugs: string[] = [];
    for (const name of names) {
      const { id, slug } = parseIdOrSlug('ct', name) ?? {};
      if (id !== undefined) found.set(name, id);
      else if (slug !== undefined) slugs.push(slug);
    }
    if (slugs.length === 0) return found;
    for (const { id, slug } of await this.database.query(tenantId, BY_SLUGS, { slugs })) found.set(slug, id);
    return found;
  }

  async existing(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.find(tenantId, names);
    const ids = [...found.values()];
    const rows = ids.length > 0 ? await this.database.query(tenantId, BY_IDS, { ids }) : [];
    const existing = new Set(rows.map(({ id }) => id));
    return new Map([...found].filter(([, id]) => existing.has(id)));
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { formatId } from '../../ids/type-id.js';
import type { ListMeta, Page } from '../../lists/page.js';
import { listEntryFields } from '../entry-fields-list.js';
import { ofTypes } from '../narrowed-lists.js';
import { Schemas } from '../schemas.js';
import {
  COUNT_REFERRERS,
  FIRST_REFERRERS,
  PAGE_OF_REFERRERS,
  REFERRED_ENTRY,
  type Referrer,
  REFERRERS_AFTER,
} from './referrers.sql.js';

/** Finds the entries that refer to an entry. References in drafts beside the live values do not count. */
@Injectable()
export class ReferrersService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Returns a page of the referrers that the caller can read, newest first. Throws a 404 if the caller can read no such entry. */
  async list(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    page: Page,
  ): Promise<{ rows: Referrer[]; meta: ListMeta }> {
    const { tenantId, publishedOnly } = caller;
    const { id: typeId } = await this.schemas.fresh(tenantId, typeName);
    const [entry] = await this.database.reads.query(tenantId, REFERRED_ENTRY, { typeId, entryId, publishedOnly });
    if (!entry) throw Problem.notFound('entry');
    const of = { typeId, publicId: formatId('ent', entryId), publishedOnly, ...ofTypes(caller) };
    return listEntryFields(page, `referrers ${entryId}`, {
      page: (limit, offset) => this.database.reads.query(tenantId, PAGE_OF_REFERRERS, { ...of, limit, offset }),
      first: (limit) => this.database.reads.query(tenantId, FIRST_REFERRERS, { ...of, limit }),
      after: (last, limit) => this.database.reads.query(tenantId, REFERRERS_AFTER, { ...of, ...last, limit }),
      count: async () => (await this.database.reads.query(tenantId, COUNT_REFERRERS, of))[0]?.total ?? 0,
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { formatId } from '../../ids/type-id.js';
import {
  cursorPage,
  type CursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  offsetOf,
  type Page,
  placeOf,
} from '../../lists/page.js';
import { ofTypes } from '../narrowed-lists.js';
import { Schemas } from '../schemas.js';
import {
  COUNT_REFERRERS,
  FIRST_REFERRERS,
  type OfEntry,
  PAGE_OF_REFERRERS,
  REFERRED_ENTRY,
  type Referrer,
  REFERRERS_AFTER,
} from './referrers.sql.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
    const [entry] = await this.database.query(tenantId, REFERRED_ENTRY, { typeId, entryId, publishedOnly });
    if (!entry) throw Problem.notFound('entry');
    const of = { typeId, publicId: formatId('ent', entryId), publishedOnly, ...ofTypes(caller) };
    if (!isNumbered(page)) return this.walk(tenantId, of, page, `referrers ${entryId}`);
    const { perPage } = page;
    const rows = await this.database.query(tenantId, PAGE_OF_REFERRERS, {
      ...of,
      limit: perPage,
      offset: offsetOf(page),
    });
    const [count] = await this.database.query(tenantId, COUNT_REFERRERS, of);
    return { rows, meta: { page: page.page, per_page: perPage, total: count?.total ?? 0 } };
  }

  private async walk(
    tenantId: string,
    of: OfEntry,
    page: CursorPage,
    name: string,
  ): Promise<{ rows: Referrer[]; meta: ListMeta }> {
    const place = placeOf(page, name);
    const [entryId, field, ...others] = place ?? [];
    if (place && (!entryId || !UUID.test(entryId) || !field || others.length > 0)) throw foreignCursor();
    const limit = page.perPage + 1;
    const found =
      entryId && field
        ? await this.database.query(tenantId, REFERRERS_AFTER, { ...of, limit, entryId, field })
        : await this.database.query(tenantId, FIRST_REFERRERS, { ...of, limit });
    return cursorPage(found, page.perPage, name, (last) => [last.entryId, last.field]);
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Caller } from '../../http/caller.js';
import { type ListResult, readList } from '../../lists/engine/list-reader.js';
import type { Page } from '../../lists/page.js';
import type { MediaFilters } from './media-filters.js';
import { mediaList } from './media-list.js';
import { mediaMatch } from './media-search.js';
import type { MediaRow } from '../media.sql.js';

/** Lists a tenant's files, newest first. */
@Injectable()
export class MediaListsService {
  constructor(private readonly database: Database) {}

  /** Throws a 400 if the cursor belongs to another list. */
  async list({ tenantId }: Caller, { search, ...filters }: MediaFilters, page: Page): Promise<ListResult<MediaRow>> {
    const match = search === undefined ? undefined : mediaMatch(tenantId, search);
    const { table, query } = mediaList(filters, match);
    const name = JSON.stringify(['media', filters.mimeType, match?.vector, filters.hasAlt]);
    return readList<MediaRow>({ reads: this.database, tenantId }, table, query, page, name);
  }
}

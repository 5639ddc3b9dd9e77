import { Injectable, OnModuleInit } from '@nestjs/common';
import { MediaIds, type NamedMedia } from '../content/media-ids.js';
import { Database } from '../database/database.js';
import { formatId, parseId } from '../ids/type-id.js';
import { FIND_MEDIA } from './media.sql.js';
import { pathOf } from './media-presenter.js';

/** Resolves the media IDs in an entry's values for the content module. */
@Injectable()
export class MediaLookup implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly ids: MediaIds,
  ) {}

  onModuleInit(): void {
    this.ids.provide((tenantId, ids) => this.find(tenantId, ids));
  }

  private async find(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, NamedMedia>> {
    const uuids = ids.flatMap((id) => parseId('med', id) ?? []);
    if (uuids.length === 0) return new Map();
    const rows = await this.database.query(tenantId, FIND_MEDIA, { ids: uuids });
    return new Map(rows.map((row) => [formatId('med', row.id), { path: pathOf(tenantId, row), alt: row.alt }]));
  }
}

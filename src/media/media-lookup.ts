import { Injectable, OnModuleInit } from '@nestjs/common';
import { MediaIds, type NamedMedia } from '../content/media-ids.js';
import { FullMedia } from '../content/reading/full-media.js';
import { Database } from '../database/database.js';
import type { Caller } from '../http/caller.js';
import { formatId, parseId } from '../ids/type-id.js';
import { FIND_MEDIA } from './media.sql.js';
import { MediaPresenter, pathOf } from './media-presenter.js';

/** Looks up the files that an entry's values name, for the content module. */
@Injectable()
export class MediaLookup implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly ids: MediaIds,
    private readonly full: FullMedia,
    private readonly presenter: MediaPresenter,
  ) {}

  onModuleInit(): void {
    this.ids.provide((tenantId, ids) => this.find(tenantId, ids));
    this.full.provide((caller, ids) => this.details(caller, ids));
  }

  private async find(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, NamedMedia>> {
    const uuids = ids.flatMap((id) => parseId('med', id) ?? []);
    if (uuids.length === 0) return new Map();
    const rows = await this.database.query(tenantId, FIND_MEDIA, { ids: uuids });
    return new Map(
      rows.map((row) => [
        formatId('med', row.id),
        { path: pathOf(tenantId, row), alt: row.alt, details: () => ({ ...this.presenter.details(tenantId, row) }) },
      ]),
    );
  }

  private async details({ tenantId, share }: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const uuids = ids.flatMap((id) => parseId('med', id) ?? []);
    const rows = await this.database.reads.query(tenantId, FIND_MEDIA, { ids: uuids }, share);
    const textOf = (row: (typeof rows)[number]) => JSON.stringify(this.presenter.details(tenantId, row)).slice(1, -1);
    return new Map(rows.map((row) => [formatId('med', row.id), `,${textOf(row)}`]));
  }
}

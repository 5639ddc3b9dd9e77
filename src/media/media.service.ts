import { Injectable, Logger } from '@nestjs/common';
import { comparable, mayRead } from '../access/may-read.js';
import { auditOf } from '../audit/record-changes.js';
import type { Caller } from '../http/caller.js';
import type { ListMeta, Page } from '../lists/page.js';
import { type MediaUse, MediaUsage } from '../content/media-usage.js';
import { Database } from '../database/database.js';
import { afterCommit } from '../database/unit-of-work.js';
import { Problem } from '../errors/problem.js';
import type { EventType } from '../modules/module-manifest.js';
import { changedReadOnly } from '../http/bodies/read-only.js';
import { formatId, newUuid } from '../ids/type-id.js';
import type { UpdateMediaDto } from './media.dto.js';
import { MediaPresenter } from './media-presenter.js';
import { mediaVector } from './lists/media-search.js';
import { DELETE_MEDIA, GET_MEDIA, type MediaRow, UPDATE_ALT } from './media.sql.js';
import { keyOf, MediaStorage } from './storage/media-storage.js';
import { RELEASE_VARIANTS, VARIANTS_OF_MEDIA } from './variants/variants.sql.js';

/** Maximum number of uses that a refused deletion lists. */
const LISTED_USES = 10;
const MAX_TRIES = 10;

/** Reads, updates and deletes media files. */
@Injectable()
export class MediaService {
  private readonly logger = new Logger(MediaService.name);

  constructor(
    private readonly database: Database,
    private readonly presenter: MediaPresenter,
    private readonly storage: MediaStorage,
    private readonly usage: MediaUsage,
  ) {}

  async get({ tenantId }: Caller, id: string): Promise<MediaRow> {
    const [row] = await this.database.query(tenantId, GET_MEDIA, { id });
    if (!row) throw Problem.notFound('media file');
    return row;
  }

  /** Returns a page of the entries that use the file, among those that the caller sees. Throws a 404 if there is no such file. */
  async uses(caller: Caller, id: string, page: Page): Promise<{ rows: MediaUse[]; meta: ListMeta }> {
    await this.get(caller, id);
    return this.usage.list(caller, formatId('med', id), page);
  }

  async update(caller: Caller, id: string, dto: UpdateMediaDto): Promise<MediaRow> {
    const { alt } = dto;
    const before = await this.get(caller, id);
    const readOnly = changedReadOnly(dto, () =>
      comparable(caller, { area: 'media' }, () => this.presenter.present(caller.tenantId, before)),
    );
    if (readOnly.length > 0) throw Problem.invalid(readOnly);
    if (alt === undefined) return before;
    const search = mediaVector(caller.tenantId, { ...before, alt });
    const changes = alt === before.alt ? [] : ['alt'];
    const audit = auditOf(caller, { action: 'updated', resource: mediaResource(id), changes });
    const [row] = await this.database.query(caller.tenantId, UPDATE_ALT, { id, alt, search, audit });
    if (!row) throw Problem.notFound('media file');
    return row;
  }

  /**
   * Throws a 409 while entries use the file, unless `force` is true. Deletes the row first: the sweeper removes bytes without a row, but a
   * row without bytes would remain.
   */
  async delete(caller: Caller, id: string, force: boolean): Promise<void> {
    const { tenantId } = caller;
    if (!force) {
      await this.get(caller, id);
      await this.assertUnused(caller, id);
    }
    await this.deleteRow(caller, id);
    await afterCommit(() => this.tryRemoveBytes(tenantId, id));
  }

  private async tryRemoveBytes(tenantId: string, id: string): Promise<void> {
    try {
      await this.removeBytes(tenantId, id);
    } catch (error) {
      this.logger.warn(
        { tenant_id: tenantId, media: formatId('med', id), err: error },
        'The bytes of a deleted file could not be removed; the sweeper will remove them',
      );
    }
  }

  private async removeBytes(tenantId: string, id: string): Promise<void> {
    const variants = await this.database.query(tenantId, VARIANTS_OF_MEDIA, { mediaId: id });
    await this.storage.remove([keyOf(id), ...variants.map(({ name }) => keyOf(id, name))]);
    if (variants.length > 0) await this.database.query(tenantId, RELEASE_VARIANTS, { mediaId: id });
  }

  private async deleteRow(caller: Caller, id: string): Promise<void> {
    const events: EventType[] = ['media.deleted'];
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const row = await this.get(caller, id);
      const data = this.presenter.eventData(caller.tenantId, row);
      const [deleted] = await this.database.query(caller.tenantId, DELETE_MEDIA, {
        id,
        alt: row.alt,
        eventIds: events.map(newUuid),
        eventTypes: events,
        eventData: data,
        at: new Date().toISOString(),
        audit: auditOf(caller, { action: 'deleted', resource: mediaResource(id) }),
      });
      if (deleted) return;
    }
    throw new Problem(
      'unavailable',
      'The file could not be deleted because of too many concurrent changes.',
      undefined,
      { 'Retry-After': '1' },
    );
  }

  /** The problem lists the uses that the caller sees. */
  private async assertUnused(caller: Caller, id: string): Promise<void> {
    const { tenantId } = caller;
    const file = formatId('med', id);
    if (!(await this.usage.isUsed(tenantId, file))) return;
    const { rows } = await this.usage.list(caller, file, { page: 1, perPage: LISTED_USES });
    const isReader = mayRead(caller, { area: 'media' });
    // The list has no drafts for a caller that reads published entries only.
    const seen = rows.filter(
      ({ typeId }) => isReader || mayRead(caller, { area: 'content', typeId, isPublished: true }),
    );
    throw new Problem(
      'conflict',
      'Entries still use this file. Change these entries first, or delete the file anyway with force=true.',
      seen.map(({ typeId, entryId, field }) => {
        const type = formatId('ct', typeId);
        const entry = formatId('ent', entryId);
        return {
          path: `${type}.${entry}.fields.${field}`,
          code: 'in_use',
          message: `The field ${field} of ${entry} uses the file.`,
        };
      }),
    );
  }
}

/** A file, as the audit log names it. */
export function mediaResource(id: string): { type: string; id: string } {
  return { type: 'media', id: formatId('med', id) };
}

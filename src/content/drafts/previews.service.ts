import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { DraftedEntries } from './drafted-entries.js';
import { requireDraftAccess } from './draft-access.js';
import { storedDraft } from './draft-values.js';
import { preview } from './previews.js';

/** An entry with the values of its draft on top, and the number of the draft; undefined if there is none. */
export interface Preview {
  entry: EntryOfType;
  draftNumber: number | undefined;
  /** The generation of the entry's preview links. */
  links: number;
}

/** Shows single entries as publishing their drafts would leave them. */
@Injectable()
export class PreviewsService {
  constructor(private readonly entries: DraftedEntries) {}

  /** Throws a 403 for a key that reads published entries only, and a 404 if there is no such entry. */
  async get(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<Preview> {
    await requireDraftAccess(caller);
    return this.read(caller, typeName, entryId);
  }

  /** Same as `get`, for a caller that has a preview link of the entry. */
  async read({ tenantId, share }: Caller, typeName: IdOrSlug, entryId: string): Promise<Preview> {
    return this.entries.show({ tenantId, typeName, entryId, share }, async (row, type) => {
      const draft = storedDraft(row);
      const entry = { ...(await preview(share, type, row, draft)), typeId: type.id };
      return { entry, draftNumber: draft && row.number, links: row.links };
    });
  }
}

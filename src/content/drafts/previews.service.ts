import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { EntryChanges } from '../entries/entry-changes.js';
import { Schemas } from '../schemas.js';
import { requireDraftAccess } from './draft-access.js';
import { storedDraft } from './draft-values.js';
import { GET_WITH_DRAFT } from './drafts.sql.js';
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
  constructor(
    private readonly schemas: Schemas,
    private readonly changes: EntryChanges,
  ) {}

  /** Throws a 403 for a key that reads published entries only, and a 404 if there is no such entry. */
  async get(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<Preview> {
    await requireDraftAccess(caller);
    return this.read(caller, typeName, entryId);
  }

  /** Same as `get`, for a caller that has a preview link of the entry. */
  async read({ tenantId, share }: Caller, typeName: IdOrSlug, entryId: string): Promise<Preview> {
    const current = await this.schemas.get(tenantId, typeName);
    const { before, type } = await this.changes.read({ tenantId, typeName, entryId, share }, current, GET_WITH_DRAFT);
    const draft = storedDraft(before);
    const entry = { ...(await preview(share, type, before, draft)), typeId: type.id };
    return { entry, draftNumber: draft && before.number, links: before.links };
  }
}

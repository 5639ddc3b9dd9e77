import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import {
  cursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  offsetOf,
  type Page,
  keysetOf,
} from '../../lists/page.js';
import type { List } from '../../lists/streamed-list.js';
import { type OfTypes, ofTypes } from '../narrowed-lists.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { presentDraft, reviewOf } from './draft-presenter.js';
import { shownSliced } from './draft-values.js';
import {
  COUNT_DRAFTS,
  COUNT_WAITING,
  DRAFT_SIZES,
  DRAFTS_AFTER,
  DRAFTS_BY_IDS,
  DRAFTS_PAGE,
  FIRST_DRAFTS,
  FIRST_WAITING,
  type LargeDraft,
  type ListedDraft,
  WAITING_AFTER,
  WAITING_PAGE,
} from './draft-list.sql.js';

/** Identifies the list in its cursors. */
const NAME = 'drafts';

/** The statements of the lists. */
const DRAFTS = { page: DRAFTS_PAGE, first: FIRST_DRAFTS, after: DRAFTS_AFTER, count: COUNT_DRAFTS };
const WAITING = { page: WAITING_PAGE, first: FIRST_WAITING, after: WAITING_AFTER, count: COUNT_WAITING };

/** How many times its own size showing a large draft takes: its values and those of the entry. */
const WORK = 10;

/** Lists the drafts of all content types of a tenant that the caller may see. */
@Injectable()
export class DraftListService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Returns a page of drafts: all of them (`isWaiting` is undefined), those that wait for review, or the others. */
  async list(caller: Caller, page: Page, isWaiting: boolean | undefined): Promise<List<LargeDraft>> {
    const { tenantId } = caller;
    const { rows, meta } = await this.readPage(tenantId, { isWaiting, of: ofTypes(caller) }, page);
    const types = await this.typesOf(tenantId, rows);
    const present = (row: LargeDraft) => shownDraft(tenantId, types.get(row.typeId), row);
    const records: (string | { id: string })[] = [];
    for (const row of rows.filter(({ typeId }) => types.has(typeId))) {
      records.push(isSmall(row) ? await present(row) : row);
    }
    const typeOf = new Map(rows.map(({ id, typeId }) => [id, typeId]));
    const named = (ids: readonly string[]) => ({ ids, typeIds: ids.map((id) => typeOf.get(id) ?? '') });
    const large = {
      sizes: (ids: readonly string[]) => this.database.query(tenantId, DRAFT_SIZES, named(ids)),
      rows: (ids: readonly string[]) => this.database.query(tenantId, DRAFTS_BY_IDS, named(ids)),
    };
    return { records, meta, large, present, work: WORK };
  }

  private async readPage(
    tenantId: string,
    { isWaiting, of }: { isWaiting: boolean | undefined; of: OfTypes },
    page: Page,
  ): Promise<{ rows: ListedDraft[]; meta: ListMeta }> {
    const named = isWaiting ? WAITING : DRAFTS;
    const which = { ...of, isWithoutReview: isWaiting === false };
    if (isNumbered(page)) {
      const limits = { limit: page.perPage, offset: offsetOf(page) };
      const rows = await this.database.query(tenantId, named.page, { ...which, ...limits });
      const [count] = await this.database.query(tenantId, named.count, which);
      return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
    }
    const name = isWaiting === undefined ? NAME : `${NAME} review=${isWaiting}`;
    const limit = page.perPage + 1;
    const place = keysetOf(page, name);
    const [placeAt, id, ...others] = place ?? [];
    if (place && (!placeAt || !id || others.length > 0)) throw foreignCursor();
    const found =
      placeAt && id
        ? await this.database.query(tenantId, named.after, { ...which, limit, placeAt, id })
        : await this.database.query(tenantId, named.first, { ...which, limit });
    return cursorPage(found, page.perPage, name, (last) => [isWaiting ? last.reviewAt : last.draftUpdatedAt, last.id]);
  }

  /** Returns the types in the versions that the rows were read with, or later ones, without types that were deleted meanwhile. */
  private async typesOf(tenantId: string, rows: readonly ListedDraft[]): Promise<ReadonlyMap<string, CompiledType>> {
    const types = new Map<string, CompiledType>();
    for (const { typeId: id, typeVersion } of rows) {
      if (types.get(id)?.version === typeVersion) continue;
      try {
        const type = await this.schemas.get(tenantId, { id });
        types.set(id, type.version === typeVersion ? type : await this.schemas.fresh(tenantId, { id }));
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      }
    }
    return types;
  }
}

async function shownDraft(tenantId: string, type: CompiledType | undefined, row: LargeDraft): Promise<string> {
  if (!type) throw new Error('The draft has another type than it had on the page.');
  const { id, typeId, baseVersion, draftCreatedAt: createdAt, draftUpdatedAt: updatedAt } = row;
  const steps = shownSliced(type.schema, row.fields, row);
  const shown = await heavyWork.runIf(isHeavy(row.fields.length + row.draft.length), tenantId, steps);
  return presentDraft({ id, typeId, ...shown, baseVersion, createdAt, updatedAt, ...reviewOf(row) });
}

function isSmall(row: ListedDraft): row is LargeDraft {
  return row.fields !== null && row.draft !== null;
}

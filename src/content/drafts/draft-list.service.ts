import { Injectable } from '@nestjs/common';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Database } from '../../database/database.js';
import type { Statement } from '../../database/statements/statement.js';
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
  COUNT_MINE,
  COUNT_WAITING,
  DRAFT_SIZES,
  DRAFTS_AFTER,
  DRAFTS_BY_IDS,
  DRAFTS_PAGE,
  FIRST_DRAFTS,
  FIRST_MINE,
  FIRST_WAITING,
  type LargeDraft,
  type ListedDraft,
  MINE_AFTER,
  MINE_PAGE,
  WAITING_AFTER,
  WAITING_PAGE,
} from './draft-list.sql.js';

/** Identifies the list in its cursors. */
const NAME = 'drafts';

/** The statements of the lists. */
const DRAFTS = { page: DRAFTS_PAGE, first: FIRST_DRAFTS, after: DRAFTS_AFTER, count: COUNT_DRAFTS };
const WAITING = { page: WAITING_PAGE, first: FIRST_WAITING, after: WAITING_AFTER, count: COUNT_WAITING };
const MINE = { page: MINE_PAGE, first: FIRST_MINE, after: MINE_AFTER, count: COUNT_MINE };

/** Which drafts are listed. */
export interface DraftFilter {
  /** Those that wait for review, or those that do not; undefined: all. */
  isWaiting: boolean | undefined;
  /** Those that the caller was the last to save. */
  isMine: boolean;
}

type Which = OfTypes & { isWithoutReview: boolean; savedBy: string };
type Limited = Which & { limit: number };

interface Listing {
  /** Identifies the list in its cursors. */
  name: string;
  /** The time that the list is ordered by. */
  placeOf: (row: ListedDraft) => string | null;
  page: Statement<Limited & { offset: number }, ListedDraft>;
  first: Statement<Limited, ListedDraft>;
  after: Statement<Limited & { placeAt: string; id: string }, ListedDraft>;
  count: Statement<Which, { total: number }>;
}

function listingOf({ isWaiting, isMine }: DraftFilter): Listing {
  if (isMine) return { ...MINE, name: `${NAME} mine`, placeOf: ({ savedAt }: ListedDraft) => savedAt };
  if (isWaiting) return { ...WAITING, name: `${NAME} review=true`, placeOf: ({ reviewAt }: ListedDraft) => reviewAt };
  const name = isWaiting === undefined ? NAME : `${NAME} review=false`;
  return { ...DRAFTS, name, placeOf: ({ draftUpdatedAt }: ListedDraft) => draftUpdatedAt };
}

/** How many times its own size showing a large draft takes: its values and those of the entry. */
const WORK = 10;

/** Lists the drafts of all content types of a tenant that the caller may see. */
@Injectable()
export class DraftListService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  async list(caller: Caller, page: Page, filter: DraftFilter): Promise<List<LargeDraft>> {
    const { tenantId } = caller;
    const { rows, meta } = await this.readPage(caller, filter, page);
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
    caller: Caller,
    filter: DraftFilter,
    page: Page,
  ): Promise<{ rows: ListedDraft[]; meta: ListMeta }> {
    const { tenantId, actorId: savedBy = '' } = caller;
    const { name, placeOf, ...named } = listingOf(filter);
    const which = { ...ofTypes(caller), isWithoutReview: filter.isWaiting === false, savedBy };
    if (isNumbered(page)) {
      const limits = { limit: page.perPage, offset: offsetOf(page) };
      const rows = await this.database.query(tenantId, named.page, { ...which, ...limits });
      const [count] = await this.database.query(tenantId, named.count, which);
      return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
    }
    const limit = page.perPage + 1;
    const place = keysetOf(page, name);
    const [placeAt, id, ...others] = place ?? [];
    if (place && (!placeAt || !id || others.length > 0)) throw foreignCursor();
    const found =
      placeAt && id
        ? await this.database.query(tenantId, named.after, { ...which, limit, placeAt, id })
        : await this.database.query(tenantId, named.first, { ...which, limit });
    return cursorPage(found, page.perPage, name, (last) => [placeOf(last), last.id]);
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

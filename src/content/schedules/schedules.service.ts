import { Injectable } from '@nestjs/common';
import { comparable } from '../../access/may-read.js';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { changedReadOnly } from '../../http/bodies/read-only.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import {
  cursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  offsetOf,
  type Page,
  keysetOf,
} from '../../lists/page.js';
import { localesOf } from '../locales/tenant-locales.js';
import { Attempts, tooManyChanges } from '../entries/writes/attempts.js';
import { entryResource } from '../entries/writes/entry-write.js';
import { ofTypes } from '../narrowed-lists.js';
import { Schemas } from '../schemas.js';
import { presentSchedule } from './schedule-presenter.js';
import { readTimes } from './schedule-times.js';
import { assertMaySchedule, wrongLocales } from './scheduled-locales.js';
import type { PutScheduleDto } from './schedules.dto.js';
import {
  COUNT_SCHEDULES,
  DELETE_SCHEDULE,
  FIRST_SCHEDULES,
  GET_SCHEDULE,
  PUT_SCHEDULE,
  type ScheduleRow,
  SCHEDULES_AFTER,
  SCHEDULES_PAGE,
} from './schedules.sql.js';

/** The times between which schedules are listed, both included; undefined: no limit. */
interface TimeRange {
  from: Date | undefined;
  to: Date | undefined;
}

/** Schedules: the times at which entries are published and unpublished. `ScheduledActions` carries them out. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly attempts: Attempts,
  ) {}

  /** Throws a 404 if the entry has no schedule. */
  async get({ tenantId }: Caller, typeName: IdOrSlug, entryId: string): Promise<ScheduleRow> {
    const cached = await this.schemas.get(tenantId, typeName);
    const { before } = await this.attempts.read({ tenantId, typeName, entryId }, cached, GET_SCHEDULE);
    assertScheduled(before);
    return before;
  }

  /**
   * Sets the schedule, in place of the one that there may be. Throws a 403 if the caller is limited to other locales than those of either, and a 422
   * that lists every wrong value.
   */
  async put(
    caller: Caller,
    typeName: IdOrSlug,
    entryId: string,
    body: CheckedBody<PutScheduleDto>,
  ): Promise<ScheduleRow> {
    const { tenantId } = caller;
    const { times, errors } = readTimes(body.dto, Date.now());
    const locales = body.dto.locales ?? null;
    // The form of others is wrong, which is reported already.
    if (locales !== null && !body.errors.some(({ path }) => path.startsWith('locales')))
      errors.push(...wrongLocales(locales, await localesOf(this.database, tenantId), times));
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_SCHEDULE)) {
      const readOnly = changedReadOnly(body.dto, () =>
        comparable(caller, { area: 'content', typeId: type.id }, () => JSON.parse(presentSchedule(before)) as object),
      );
      const wrong = [...body.errors, ...readOnly, ...errors];
      if (wrong.length > 0) throw Problem.invalid(wrong);
      if (nextOf(before) !== undefined) assertMaySchedule(caller, before);
      assertMaySchedule(caller, { locales });
      const of = { typeId: type.id, entryId };
      const put = await this.attempts.commit(this.database, tenantId, PUT_SCHEDULE, {
        ...of,
        typeVersion: type.version,
        ...times,
        locales,
        entryVersion: before.entryVersion,
        draftNumber: before.draftNumber,
        audit: auditOf(caller, {
          action: 'scheduled',
          resource: entryResource(entryId),
          changes: namesOf({ ...times, locales }),
        }),
      });
      if (put.length > 0) return { ...of, ...times, locales, problem: null };
    }
    throw tooManyChanges();
  }

  /** Throws a 404 if the entry has no schedule, and a 403 if the caller is limited to other locales. */
  async delete(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<void> {
    const { tenantId } = caller;
    for await (const { before, type } of this.attempts.onEntry({ tenantId, typeName, entryId }, GET_SCHEDULE)) {
      assertScheduled(before);
      assertMaySchedule(caller, before);
      const deleted = await this.attempts.commit(this.database, tenantId, DELETE_SCHEDULE, {
        typeId: type.id,
        entryId,
        audit: auditOf(caller, { action: 'unscheduled', resource: entryResource(entryId) }),
      });
      if (deleted.length > 0) return;
    }
    throw tooManyChanges();
  }

  /** Returns a page of the tenant's schedules, by their earliest remaining times. */
  async list(caller: Caller, { from, to }: TimeRange, page: Page): Promise<{ rows: ScheduleRow[]; meta: ListMeta }> {
    const { tenantId } = caller;
    const range = { ...ofTypes(caller), from: from?.toISOString() ?? '-infinity', to: to?.toISOString() ?? 'infinity' };
    if (isNumbered(page)) {
      const limits = { limit: page.perPage, offset: offsetOf(page) };
      const rows = await this.database.query(tenantId, SCHEDULES_PAGE, { ...range, ...limits });
      const [count] = await this.database.query(tenantId, COUNT_SCHEDULES, range);
      return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
    }
    const list = `schedules ${range.from} ${range.to}`;
    const limit = page.perPage + 1;
    const place = keysetOf(page, list);
    const [at, id, ...others] = place ?? [];
    if (place && (!at || !id || others.length > 0)) throw foreignCursor();
    const found =
      at && id
        ? await this.database.query(tenantId, SCHEDULES_AFTER, { ...range, limit, at, id })
        : await this.database.query(tenantId, FIRST_SCHEDULES, { ...range, limit });
    return cursorPage(found, page.perPage, list, (last) => [nextOf(last) ?? null, last.entryId]);
  }
}

/** The earliest remaining time. */
export function nextOf({ publishAt, unpublishAt }: Pick<ScheduleRow, 'publishAt' | 'unpublishAt'>): string | undefined {
  if (publishAt === null || unpublishAt === null) return publishAt ?? unpublishAt ?? undefined;
  return publishAt < unpublishAt ? publishAt : unpublishAt;
}

/** The names of the properties that a schedule has. */
function namesOf({
  publishAt,
  unpublishAt,
  locales,
}: Pick<ScheduleRow, 'publishAt' | 'unpublishAt' | 'locales'>): string[] {
  const values = { publish_at: publishAt, unpublish_at: unpublishAt, locales };
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : name));
}

function assertScheduled(row: ScheduleRow): void {
  if (nextOf(row) === undefined) throw Problem.notFound('schedule');
}

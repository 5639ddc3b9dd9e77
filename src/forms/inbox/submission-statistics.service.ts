import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { firstUuidOf } from '../../ids/type-id.js';
import { FormSchemas } from '../form-schemas.js';
import { type FormWarningDto, FormWarnings } from '../spam/form-warnings.js';
import { COUNT_DAYS, type DayRow } from './submission-statistics.sql.js';

const MAX_DAYS = 365;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

export const daysParameter: Parameter = {
  name: 'days',
  schema: { type: 'integer', minimum: 1, maximum: MAX_DAYS },
  description: 'The number of days in UTC, 30 by default. The last one is today.',
};

/** Counts what arrived. */
@Injectable()
export class SubmissionStatistics {
  constructor(
    private readonly database: Database,
    private readonly forms: FormSchemas,
    private readonly warnings: FormWarnings,
  ) {}

  /**
   * Returns a row for each of the last days, today last, and the warnings of the form. Nothing is kept for it while submissions arrive: they are counted, and those that were
   * deleted since are added. Throws a 404 if the form is unknown, and a 400 for another number of days than 1 to 365.
   */
  async read(
    { tenantId }: Caller,
    formId: string,
    query: Query,
    now = Date.now(),
  ): Promise<{ data: DayRow[]; warnings?: FormWarningDto[] }> {
    const days = readDays(query);
    const form = await this.forms.current(tenantId, formId);
    const first = Math.floor(now / DAY_MS) - days + 1;
    const starts = Array.from({ length: days + 1 }, (_, index) => new Date((first + index) * DAY_MS));
    const data = await this.database.query(tenantId, COUNT_DAYS, {
      formId,
      dates: starts.slice(0, days).map((start) => start.toISOString().slice(0, 10)),
      ids: starts.map(firstUuidOf),
    });
    return { data, ...(await this.warnings.of(tenantId, form)) };
  }
}

function readDays({ days: text }: Query): number {
  if (text === undefined) return DEFAULT_DAYS;
  const days = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (!(days >= 1 && days <= MAX_DAYS))
    throw Problem.parameter('days', `days must be an integer from 1 to ${MAX_DAYS}.`);
  return days;
}

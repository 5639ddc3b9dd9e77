import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statements/statement.js';
import { PublicUrl } from '../../http/public-url.js';
import { firstUuidOf } from '../../ids/type-id.js';
import type { FormSettings } from '../settings/form-settings.js';
import type { SpamReason } from './spam-checks.js';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Submissions are counted up to this number. */
const MAX_COUNT = 1_000;

/** Counts the submissions since an ID without a valid time token, which the form wanted. */
const COUNT_UNTIMED = statement<{ formId: string; since: string }, { count: number }>()(
  'submissions.count_untimed',
  `SELECT count(*)::int AS count FROM (
      SELECT 1 FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND id >= :since::uuid AND untimed LIMIT ${MAX_COUNT}
    ) AS untimed`,
);

/** Where the missing token is a reason for spam, the warning has the name of this reason. */
const REASON = 'too_fast' satisfies SpamReason;

const WARNINGS = ['time_unknown', REASON] as const;

/** Something that the owner of a form should know. */
export class FormWarningDto {
  @ApiProperty({
    enum: [...WARNINGS],
    description:
      '`time_unknown`: submissions came without a valid `_t`, so `min_seconds` could not be checked. `too_fast`: with ' +
      '`require_token`, they are spam with this reason.',
  })
  code!: (typeof WARNINGS)[number];

  @ApiProperty({
    example:
      '12 submissions of the last 7 days came without a valid time token (_t), so min_seconds could not be checked. To send it, add ' +
      '<script src="https://cms.example/f/token.js"></script> to the page of the form.',
  })
  message!: string;
}

/** Finds what the owner of a form should know about its submissions. */
@Injectable()
export class FormWarnings {
  constructor(
    private readonly database: Database,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Returns `{warnings}`, which a response has beside its `data`; an empty object if there are none. */
  async of(
    tenantId: string,
    { id: formId, settings }: { id: string; settings: FormSettings | null },
  ): Promise<{ warnings?: FormWarningDto[] }> {
    const { min_seconds: minSeconds, require_token: requiresToken } = settings?.spam ?? {};
    if (minSeconds === undefined && !requiresToken) return {};
    const since = firstUuidOf(new Date(Date.now() - DAYS * DAY_MS));
    const [row] = await this.database.query(tenantId, COUNT_UNTIMED, { formId, since });
    return row && row.count > 0 ? { warnings: [this.untimed(row.count, settings ?? {})] } : {};
  }

  private untimed(count: number, { spam, autoresponder }: FormSettings): FormWarningDto {
    const number =
      count === MAX_COUNT ? `${MAX_COUNT} or more submissions` : count === 1 ? '1 submission' : `${count} submissions`;
    const code = spam?.require_token ? REASON : 'time_unknown';
    const came = `${number} of the last ${DAYS} days came without a valid time token (_t)`;
    // Some may have come before the form asked for the token, and are no spam.
    const effect =
      code === REASON ? `. With require_token, that is spam (${REASON}).` : ', so min_seconds could not be checked.';
    const unanswered = autoresponder && !spam?.challenge ? ' The autoresponder did not answer them.' : '';
    const script = `<script src="${this.publicUrl.base}/f/token.js"></script>`;
    return { code, message: `${came}${effect}${unanswered} To send it, add ${script} to the page of the form.` };
  }
}

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

/** Counts, of the latest spam since an ID, what came without a solved challenge. */
const COUNT_UNPROVEN = statement<{ formId: string; since: string }, { count: number }>()(
  'submissions.count_unproven',
  `SELECT count(*) FILTER (WHERE 'challenge' = ANY (reasons))::int AS count FROM (
      SELECT reasons FROM submissions
      WHERE tenant_id = :tenantId AND form_id = :formId AND id >= :since::uuid AND verdict IS NOT NULL
      ORDER BY id DESC LIMIT ${MAX_COUNT}
    ) AS spam`,
);

/** Where what is missing is a reason for spam, the warning has the name of this reason. */
const TOO_FAST = 'too_fast' satisfies SpamReason;
const CHALLENGE = 'challenge' satisfies SpamReason;

const WARNINGS = ['time_unknown', TOO_FAST, CHALLENGE] as const;

/** Something that the owner of a form should know. */
export class FormWarningDto {
  @ApiProperty({
    enum: [...WARNINGS],
    description:
      '`time_unknown`: submissions came without a valid `_t`, so `min_seconds` could not be checked. `too_fast`: with ' +
      '`require_token`, they are spam with this reason. `challenge`: submissions came without a solved challenge (`_altcha`), and are ' +
      'spam with this reason.',
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
    const { min_seconds: minSeconds, require_token: requiresToken, challenge } = settings?.spam ?? {};
    const since = firstUuidOf(new Date(Date.now() - DAYS * DAY_MS));
    const count = async (counter: typeof COUNT_UNTIMED | typeof COUNT_UNPROVEN): Promise<number> => {
      const [row] = await this.database.query(tenantId, counter, { formId, since });
      return row?.count ?? 0;
    };
    const [untimed, unproven] = await Promise.all([
      minSeconds !== undefined || requiresToken ? count(COUNT_UNTIMED) : 0,
      challenge ? count(COUNT_UNPROVEN) : 0,
    ]);
    const warnings = [
      ...(untimed > 0 ? [this.untimed(untimed, settings ?? {})] : []),
      ...(unproven > 0 ? [this.unproven(unproven)] : []),
    ];
    return warnings.length > 0 ? { warnings } : {};
  }

  private untimed(count: number, { spam, autoresponder }: FormSettings): FormWarningDto {
    const code = spam?.require_token ? TOO_FAST : 'time_unknown';
    // Some may have come before the form asked for the token, and are no spam.
    const effect =
      code === TOO_FAST
        ? `. With require_token, that is spam (${TOO_FAST}).`
        : ', so min_seconds could not be checked.';
    const unanswered = autoresponder && !spam?.challenge ? ' The autoresponder did not answer them.' : '';
    const came = `${lastDays(count)} came without a valid time token (_t)`;
    return { code, message: `${came}${effect}${unanswered} To send it, add ${this.script} to the page of the form.` };
  }

  /** Programs that cannot solve the challenge come without it too, which is what it is for. */
  private unproven(count: number): FormWarningDto {
    const came = `${lastDays(count)} came without a solved challenge (_altcha), which is spam (${CHALLENGE})`;
    const help = `If visitors send the form from a page of your own, add ${this.script} to it, which solves the challenge.`;
    return { code: CHALLENGE, message: `${came}. ${help}` };
  }

  private get script(): string {
    return `<script src="${this.publicUrl.base}/f/token.js"></script>`;
  }
}

function lastDays(count: number): string {
  const number =
    count === MAX_COUNT ? `${MAX_COUNT} or more submissions` : count === 1 ? '1 submission' : `${count} submissions`;
  return `${number} of the last ${DAYS} days`;
}

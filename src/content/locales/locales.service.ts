import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { assertPermitted, type Precondition } from '../../http/responses/etag.js';
import { listed } from '../../validation/suggestion.js';
import { settingsOf } from './checked-settings.js';
import { FOLLOW_KEY } from './locale-jobs.js';
import type { SetLocalesDto } from './locales.dto.js';
import { LOCALIZED_TYPES, SET_LOCALES } from './locales.sql.js';
import { assertNotLimited } from './locale-rights.js';
import { heldLocalesOf, localesOf } from './tenant-locales.js';
import { RUNNING_PURGES } from './purges/locale-purges.sql.js';
import { TypesBehind } from './types-behind.js';

/** The locales of tenants. */
@Injectable()
export class LocalesService {
  constructor(
    private readonly database: Database,
    private readonly behind: TypesBehind,
  ) {}

  get({ tenantId }: Caller): Promise<LocaleSettings> {
    return localesOf(this.database, tenantId);
  }

  /** What `set` would store. Throws a 422 if the body is invalid, and the 409 of `set`. */
  async plan({ tenantId }: Caller, body: CheckedBody<SetLocalesDto>): Promise<LocaleSettings> {
    const before = await localesOf(this.database, tenantId);
    const after = checked(body, before.revision + 1);
    await assertPossible(this.database, tenantId, before, after);
    return after;
  }

  /**
   * Replaces the locales, and changes the content types with localized fields after them. Throws a 409 if the default changes while there are
   * such types, if a locale is removed that `required_in` of a field names, or if one is added whose values are being deleted for good.
   */
  async set(caller: Caller, body: CheckedBody<SetLocalesDto>, precondition: Precondition): Promise<LocaleSettings> {
    const settings = await this.replace(caller, body, precondition);
    await this.follow(caller);
    return settings;
  }

  /** The first part of `set`. The caller changes the content types, and then calls `follow`. */
  async replace(caller: Caller, body: CheckedBody<SetLocalesDto>, precondition: Precondition): Promise<LocaleSettings> {
    const { tenantId } = caller;
    assertNotLimited(caller, 'cannot change the list of locales');
    return this.database.transaction(tenantId, async (transaction) => {
      const before = await heldLocalesOf(transaction, tenantId, { isChange: true });
      assertPermitted(precondition, before.revision, 'locales');
      const after = checked(body, before.revision + 1);
      await assertPossible(transaction, tenantId, before, after);
      const names = ['default', 'locales'] as const;
      await transaction.query(tenantId, SET_LOCALES, {
        settings: JSON.stringify(after),
        revision: after.revision,
        at: new Date().toISOString(),
        job: FOLLOW_KEY,
        audit: auditOf(caller, {
          action: 'updated',
          resource: { type: 'locales', id: tenantId },
          changes: names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
        }),
      });
      return after;
    });
  }

  /** Changes the content types whose entries are stored in earlier locales, except those that are changing to these already (UUIDs). */
  follow(caller: Caller, changing?: ReadonlySet<string>): Promise<void> {
    return this.behind.follow(caller, changing);
  }
}

function checked({ dto, errors: found }: CheckedBody<SetLocalesDto>, revision: number): LocaleSettings {
  if (found.length > 0) throw Problem.invalid(found);
  const { settings, errors } = settingsOf(dto, revision);
  if (errors.length > 0) throw Problem.invalid(errors);
  return settings;
}

async function assertPossible(
  executor: Executor,
  tenantId: string,
  before: LocaleSettings,
  after: LocaleSettings,
): Promise<void> {
  const added = codesOf(after).filter((code) => !codesOf(before).includes(code));
  const purging = added.length > 0 ? await executor.query(tenantId, RUNNING_PURGES, {}) : [];
  const purged = purging.find(({ code }) => added.includes(code));
  if (purged)
    throw new Problem('conflict', `The values of ${purged.code} are being deleted for good. Wait for the end of that.`);
  const types = await executor.query(tenantId, LOCALIZED_TYPES, {});
  if (types.length === 0) return;
  const slugs = (some: readonly { slug: string }[]) => listed(some.map(({ slug }) => slug));
  if (before.default !== after.default) {
    const detail = `The default locale cannot change while content types have localized fields: ${slugs(types)}.`;
    throw new Problem('conflict', detail, [{ path: 'default', code: 'conflict', message: detail }]);
  }
  const removed = codesOf(before).filter((code) => !codesOf(after).includes(code));
  const needing = types.filter(({ fields }) => (JSON.parse(fields) as FieldDefinition[]).some(needs(removed)));
  if (needing.length === 0) return;
  const detail = `A removed locale is one of required_in of fields of these content types: ${slugs(needing)}.`;
  throw new Problem('conflict', detail, [{ path: 'locales', code: 'conflict', message: detail }]);
}

function needs(codes: readonly string[]): (field: FieldDefinition) => boolean {
  return ({ localized, required_in: needed }) => localized === true && codes.some((code) => needed?.includes(code));
}

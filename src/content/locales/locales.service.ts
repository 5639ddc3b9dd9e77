import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Caller } from '../../http/caller.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { assertPermitted, type Precondition } from '../../http/responses/etag.js';
import { listed } from '../../validation/suggestion.js';
import { ContentTypesService } from '../content-types.service.js';
import { settingsOf } from './checked-settings.js';
import type { SetLocalesDto } from './locales.dto.js';
import { LOCALIZED_TYPES, SET_LOCALES } from './locales.sql.js';
import { heldLocalesOf, localesOf } from './tenant-locales.js';

/** The locales of tenants. */
@Injectable()
export class LocalesService {
  constructor(
    private readonly database: Database,
    private readonly types: ContentTypesService,
  ) {}

  get({ tenantId }: Caller): Promise<LocaleSettings> {
    return localesOf(this.database, tenantId);
  }

  /**
   * Replaces the locales, and changes the content types with localized fields after them. Throws a 409 if the default changes while there are
   * such types, or if a locale is removed that `required_in` of a field names.
   */
  async set(caller: Caller, body: CheckedBody<SetLocalesDto>, precondition: Precondition): Promise<LocaleSettings> {
    const { tenantId } = caller;
    const settings = await this.database.transaction(tenantId, async (transaction) => {
      const before = await heldLocalesOf(transaction, tenantId, { isChange: true });
      assertPermitted(precondition, before.revision, 'locales');
      const after = checked(body, before.revision + 1);
      await assertPossible(transaction, tenantId, before, after);
      const names = ['default', 'locales'] as const;
      await transaction.query(tenantId, SET_LOCALES, {
        settings: JSON.stringify(after),
        revision: after.revision,
        at: new Date().toISOString(),
        audit: auditOf(caller, {
          action: 'updated',
          resource: { type: 'locales', id: tenantId },
          changes: names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
        }),
      });
      return after;
    });
    await this.follow(caller, settings);
    return settings;
  }

  /** Changes the content types whose entries are stored in earlier locales. */
  private async follow(caller: Caller, { revision }: LocaleSettings): Promise<void> {
    for (const type of await this.database.query(caller.tenantId, LOCALIZED_TYPES, {})) {
      if (type.revision < revision) await this.types.followLocales(caller, type.id);
    }
  }
}

function checked({ dto, errors: found }: CheckedBody<SetLocalesDto>, revision: number): LocaleSettings {
  if (found.length > 0) throw Problem.invalid(found);
  const { settings, errors } = settingsOf(dto, revision);
  if (errors.length > 0) throw Problem.invalid(errors);
  return settings;
}

async function assertPossible(
  transaction: Transaction,
  tenantId: string,
  before: LocaleSettings,
  after: LocaleSettings,
): Promise<void> {
  const types = await transaction.query(tenantId, LOCALIZED_TYPES, {});
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

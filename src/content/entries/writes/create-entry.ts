import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import { Problem } from '../../../errors/problem.js';
import type { Caller } from '../../../http/caller.js';
import type { CheckedBody } from '../../../http/bodies/dto.pipe.js';
import type { IdOrSlug } from '../../../ids/id-or-slug.js';
import { newUuid } from '../../../ids/type-id.js';
import type { SentIn } from '../../../fields/localized/sent-values.js';
import { Database } from '../../../database/database.js';
import { assertMayCreateInLocales } from '../../locales/locale-rights.js';
import { localesOf } from '../../locales/tenant-locales.js';
import { Limits } from '../../../tenants/limits.js';
import { ENTRIES } from '../../content-usage.js';
import { sentErrors } from '../../locales/sent-in-locale.js';
import { assertMayChangeEntry } from '../../live-changes.js';
import type { CreateEntryDto } from '../entries.dto.js';
import type { EntryOfType } from '../entries.sql.js';
import { Attempts, tooManyChanges } from './attempts.js';
import { EntryValidation } from './entry-validation.js';
import { EntryValues, NO_VALUES } from './entry-values.js';
import { creationOf } from './entry-write.js';
import { EntryWriter } from './entry-writer.js';
import { CREATE_ENTRY } from './create-entry.sql.js';

@Injectable()
export class CreateEntry {
  constructor(
    private readonly attempts: Attempts,
    private readonly values: EntryValues,
    private readonly validation: EntryValidation,
    private readonly writer: EntryWriter,
    private readonly limits: Limits,
    private readonly database: Database,
  ) {}

  /**
   * If `isIncomplete`, required values may be missing, and the entry cannot be published until they are there. Throws a 422 that lists every wrong value, including taken unique values and missing references, and a 403 if the tenant's limit is
   * reached or the caller may not publish.
   */
  async run(
    by: Caller,
    typeName: IdOrSlug,
    { dto, errors, isHeavy }: CheckedBody<CreateEntryDto>,
    { isIncomplete, locale }: { isIncomplete: boolean; locale?: SentIn },
  ): Promise<EntryOfType> {
    const { tenantId } = by;
    const { fields, status = 'draft' } = dto;
    if (isIncomplete && status === 'published') throw needsValues();
    const values = this.values.ofRequest({ tenantId, isHeavy }, isIncomplete ? 'incomplete' : 'whole', fields, locale);
    for await (const type of this.attempts.onType(tenantId, typeName)) {
      assertMayChangeEntry(by, type.id, { after: status });
      const id = newUuid();
      // If `fields` is missing, the DTO has already reported it.
      const { set, referring, errors: wrong } = fields ? await values.check(type) : NO_VALUES;
      const uniques = await heavyWork.runIf(isHeavy, tenantId, type.schema.uniquesSliced(set));
      const write = { tenantId, typeName, type, isHeavy, locale };
      const missing = status === 'published' ? sentErrors(write, type.schema.missingIn(set)) : [];
      const valid = await this.validation.assertValid(write, [...errors, ...wrong, ...missing], {
        id,
        uniques,
        referring,
      });
      if (!valid) continue;
      const steps = creationOf(type, { id, values: set, uniques, status }, by, isHeavy);
      const creation = await heavyWork.runIf(isHeavy, tenantId, steps);
      if (by.locales) {
        const { default: standard } = type.locales ?? (await localesOf(this.database, tenantId));
        assertMayCreateInLocales(by, type, { status, names: Object.keys(set) }, standard);
      }
      const executor = this.limits.executor({ tenantId, resource: ENTRIES, amount: 1 });
      const options = { executor, by, isHeavy, ...valid, more: {} };
      if (await this.writer.write(CREATE_ENTRY, creation, options)) return creation.row;
    }
    throw tooManyChanges();
  }
}

function needsValues(): Problem {
  return Problem.parameter('incomplete', 'incomplete=true is only for an entry with the status draft.');
}

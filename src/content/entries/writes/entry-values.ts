import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import type { SlicedWork } from '../../../admission/sliced-work.js';
import type { ValueError } from '../../../errors/problem.js';
import { matchDeferredPatterns } from '../../../fields/patterns/pattern-runner.js';
import type { SentIn } from '../../../fields/localized/sent-values.js';
import type { PatchResult } from '../../../fields/schema.js';
import { Database } from '../../../database/database.js';
import { assertKnownLocale } from '../../locales/locale-request.js';
import { sentErrors, sentValues } from '../../locales/sent-in-locale.js';
import { localesOf } from '../../locales/tenant-locales.js';
import { MediaIds } from '../../media-ids.js';
import type { CompiledType } from '../../schemas.js';

/** The values of an entry, or some of them, by the names of their fields. */
export type EntryFields = Record<string, unknown>;

/** How values are checked: as those of a new entry, of one whose required values may be missing (`incomplete`), or of a patch. */
export type CheckMode = 'whole' | 'incomplete' | 'patch';

/** Values as they were sent, which may have any shape. */
export interface SentValues {
  type: CompiledType;
  mode: CheckMode;
  values: unknown;
  /** The locale of values of localized fields (see `storedValues`). */
  locale?: SentIn;
  /** Whether the values have the names that they are stored under. */
  isStored?: boolean;
}

/** Values that are checked but for what only the database knows: unique values and references. */
export interface CheckedValues {
  set: EntryFields;
  /** The fields that a patch removes. */
  removed: readonly string[];
  /** As they concern the values that were sent. */
  errors: readonly ValueError[];
  /** The values whose references must exist: `set`, and what refers to entries in invalid values. */
  referring: EntryFields;
}

export const NO_VALUES: CheckedValues = { set: {}, removed: [], errors: [], referring: {} };

/** Whose turn large values take, and whether they do. */
interface Work {
  tenantId: string;
  isHeavy: boolean;
}

/** Checks values that were sent, and replaces media IDs in them. */
@Injectable()
export class EntryValues {
  constructor(
    private readonly database: Database,
    private readonly mediaIds: MediaIds,
  ) {}

  async check(work: Work, sent: SentValues): Promise<CheckedValues> {
    const [checked] = await this.checkAll(work, [sent]);
    return checked!;
  }

  /** Same as `check` for the values of several entries, with one look-up of their media. Throws a 400 for an unknown locale. */
  async checkAll({ tenantId, isHeavy }: Work, all: readonly SentValues[]): Promise<CheckedValues[]> {
    for (const { type, locale } of all) {
      if (locale !== undefined) assertKnownLocale(locale, type.locales ?? (await localesOf(this.database, tenantId)));
    }
    const unlocalized = all.map(inStoredNames);
    const sent = unlocalized.map((one) => one.sent);
    const sought = sent.map(({ type: { schema }, mode, values }) => ({ schema, values, isNew: mode !== 'patch' }));
    const named = await this.mediaIds.resolveAll(tenantId, sought, isHeavy);
    const resolved = sent.map((one, index) => ({ ...one, values: named[index]?.values }));
    const results = await heavyWork.runIf(isHeavy, tenantId, checkEach(resolved));
    for (const { deferred, set } of results) if (deferred) await matchDeferredPatterns(tenantId, deferred, set);
    return results.map(({ set, removed, errors, invalidReferences }, index) => ({
      set,
      removed,
      errors: [
        ...(unlocalized[index]?.errors ?? []),
        ...sentErrors(all[index]!, [...errors, ...(named[index]?.errors ?? [])]),
      ],
      referring: invalidReferences ? { ...set, ...invalidReferences } : set,
    }));
  }

  /** The values of a request, which are checked once, unless the type changes between two attempts. */
  ofRequest(work: Work, mode: CheckMode, values: unknown, locale?: SentIn): RequestValues {
    return new RequestValues(this, work, mode, values, locale);
  }
}

class RequestValues {
  private last?: { type: CompiledType; checked: CheckedValues };

  constructor(
    private readonly values: EntryValues,
    private readonly work: Work,
    private readonly mode: CheckMode,
    private readonly sent: unknown,
    private readonly locale: SentIn,
  ) {}

  async check(type: CompiledType): Promise<CheckedValues> {
    if (this.last?.type !== type) {
      const checked = await this.values.check(this.work, {
        type,
        mode: this.mode,
        values: this.sent,
        locale: this.locale,
      });
      this.last = { type, checked };
    }
    return this.last.checked;
  }
}

function inStoredNames(sent: SentValues): { sent: SentValues; errors: readonly ValueError[] } {
  const { type, values, locale, isStored } = sent;
  if (!type.locales || isStored) return { sent, errors: [] };
  const stored = sentValues(type, values, locale);
  return { sent: { ...sent, values: stored.values }, errors: stored.errors };
}

function* checkEach(sent: readonly SentValues[]): SlicedWork<PatchResult[]> {
  const checked: PatchResult[] = [];
  for (const { mode, type, values } of sent) {
    if (mode === 'patch') checked.push(yield* type.schema.checkPatchSliced(values));
    else {
      const { values: set, ...others } = yield* type.schema.checkWholeSliced(values, {
        missing: mode !== 'incomplete',
      });
      checked.push({ set, removed: [], ...others });
    }
  }
  return checked;
}

import type { Steps } from '../../admission/steps.js';
import type { ValueError } from '../../errors/problem.js';
import type { Findings } from '../../fields/check.js';
import { matchDeferredPatterns } from '../../fields/pattern-runner.js';
import { run } from '../entries/entry-changes.js';
import type { Values } from '../entries/entry-writes.js';
import type { MediaIds } from '../media-ids.js';
import type { CompiledType } from '../schemas.js';
import { Asked, type Unknown } from './batch-lookups.js';

/** How values are checked: as those of a new entry, or as those of a patch. */
export type CheckMode = 'whole' | 'patch';

/** Checked values, with the errors that need no look-up of unique values and references. */
export interface CheckedValues {
  set: Values;
  removed: readonly string[];
  errors: readonly ValueError[];
  /** The references of invalid values (`WholeResult`). */
  doubtful?: Values;
}

interface Wanted {
  type: CompiledType;
  mode: CheckMode;
  values: unknown;
}

/** The checks of the values of a batch. They outlast an attempt, unless the content type has changed. */
export class BatchChecks {
  private readonly checks = new Asked<Wanted, CheckedValues>();

  constructor(
    private readonly batch: { tenantId: string; isHeavy: boolean },
    private readonly mediaIds: MediaIds,
  ) {}

  get isComplete(): boolean {
    return this.checks.isComplete;
  }

  /** `key` is the same for the same values only. */
  of(key: string, wanted: Wanted): CheckedValues | Unknown {
    const { type, mode } = wanted;
    return this.checks.get(`${key} ${mode} ${type.id} ${type.version}`, wanted);
  }

  async load(): Promise<void> {
    const { tenantId } = this.batch;
    const wanted = this.checks.take(() => ({ set: {}, removed: [], errors: [] }));
    if (wanted.length === 0) return;
    const sought = wanted.map(([, { type, mode, values }]) => ({
      schema: type.schema,
      values,
      isNew: mode === 'whole',
    }));
    const named = await this.mediaIds.resolveAll(tenantId, sought, this.batch.isHeavy);
    const resolved = wanted.map(([key, one], index) => ({
      ...one,
      key,
      values: named[index]?.values,
      mediaErrors: named[index]?.errors ?? [],
    }));
    for (const { key, deferred, ...checked } of await run(this.batch, checkAll(resolved))) {
      if (deferred) await matchDeferredPatterns(tenantId, deferred, checked.set);
      const { set, removed, errors, doubtful, mediaErrors } = checked;
      this.checks.set(key, { set, removed, errors: [...errors, ...mediaErrors], doubtful });
    }
  }
}

type Resolved = Wanted & { key: string; mediaErrors: readonly ValueError[] };
type Checked = CheckedValues & Pick<Resolved, 'key' | 'mediaErrors'> & { deferred?: Findings };

function* checkAll(wanted: readonly Resolved[]): Steps<Checked[]> {
  const checked: Checked[] = [];
  for (const { key, mediaErrors, type, mode, values } of wanted) {
    if (mode === 'patch') {
      checked.push({ key, mediaErrors, ...(yield* type.schema.checkPatchSteps(values)) });
    } else {
      const { values: set, ...others } = yield* type.schema.checkWholeSteps(values);
      checked.push({ key, mediaErrors, set, removed: [], ...others });
    }
  }
  return checked;
}

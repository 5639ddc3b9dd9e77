import { type CheckedValues, type EntryValues, NO_VALUES, type SentValues } from '../entries/writes/entry-values.js';
import { Asked, type Unknown } from './batch-lookups.js';

/** The checks of the values of a batch. They outlast an attempt, unless the content type has changed. */
export class BatchChecks {
  private readonly checks = new Asked<SentValues, CheckedValues>();

  constructor(
    private readonly batch: { tenantId: string; isHeavy: boolean },
    private readonly values: EntryValues,
  ) {}

  get isComplete(): boolean {
    return this.checks.isComplete;
  }

  /** `key` is the same for the same values only. */
  of(key: string, sent: SentValues): CheckedValues | Unknown {
    const { type, mode } = sent;
    return this.checks.get(`${key} ${mode} ${type.id} ${type.version}`, sent);
  }

  async load(): Promise<void> {
    const wanted = this.checks.take(() => NO_VALUES);
    if (wanted.length === 0) return;
    const checked = await this.values.checkAll(
      this.batch,
      wanted.map(([, sent]) => sent),
    );
    for (const [index, one] of checked.entries()) this.checks.set(wanted[index]![0], one);
  }
}

import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../../admission/keyed-mutex.js';
import { Problem } from '../../errors/problem.js';
import { Attempts, type EntryName } from '../entries/writes/attempts.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { type DraftedEntry, GET_UNLESS_LARGE, GET_WITH_DRAFT } from './drafts.sql.js';

/** Large entries of one tenant that may wait to be shown, and for how long. */
const TURNS = { maxWaiting: 50, waitMs: 5_000 };

/** Shows entries together with their drafts. */
@Injectable()
export class DraftedEntries {
  private readonly turns = new KeyedMutex({
    ...TURNS,
    refusal: () => Problem.unavailable('Too many large drafts are being read. Try again soon.'),
  });

  constructor(
    private readonly schemas: Schemas,
    private readonly attempts: Attempts,
  ) {}

  /**
   * Reads an entry with its draft, and returns what `show` makes of it. Large ones are read one after the other: putting a draft on top takes
   * turns, and many that wait for theirs would fill the memory. Throws a 404 if there is no such entry.
   */
  async show<Result>(
    name: EntryName,
    show: (row: DraftedEntry, type: CompiledType) => Promise<Result>,
  ): Promise<Result> {
    const cached = await this.schemas.get(name.tenantId, name.typeName);
    const { before: row, type } = await this.attempts.read(name, cached, GET_UNLESS_LARGE);
    const { fields } = row;
    if (fields !== null) return show({ ...row, fields }, type);
    return this.turns.run(name.share ?? name.tenantId, async () => {
      const whole = await this.attempts.read(name, type, GET_WITH_DRAFT);
      return show(whole.before, whole.type);
    });
  }
}

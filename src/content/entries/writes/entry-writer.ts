import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import type { Executor } from '../../../database/transaction.js';
import type { Author, Caller } from '../../../http/caller.js';
import type { LiveRights } from '../../live-changes.js';
import { Attempts } from './attempts.js';
import { documentParameters } from '../../words/locale-words.sql.js';
import { type EntryWrite, parametersOf, vocabularyOf } from './entry-write.js';
import {
  type EntryParameters,
  type NewWords,
  NO_LOCKS,
  type ReferenceLocks,
  type WriteStatement,
} from './entry-parts.sql.js';
import { DictionaryCache, newWordColumns } from './dictionary-cache.js';

/** Who makes a change, of which tenant, and what they may change. */
export type TenantAuthor = Author & LiveRights & Pick<Caller, 'tenantId'>;

/** What the statement of a write takes besides the write. */
interface Options<More> {
  executor: Executor;
  by: TenantAuthor;
  isHeavy: boolean;
  /** Of the entry as it was read (see `Preparation`). */
  preparedFrom?: number | null;
  /** The entries that it must lock. */
  locks?: ReferenceLocks;
  /** Its other parameters. */
  more: More;
}

/** Runs the statement of a creation or an update, which commits the entry, its index rows, its words, its version and its events together. */
@Injectable()
export class EntryWriter {
  constructor(
    private readonly attempts: Attempts,
    private readonly knownWords: DictionaryCache,
  ) {}

  /** Returns false if a concurrent change won: then nothing is written. */
  async write<More extends object>(
    { plain, locking, localized }: WriteStatement<EntryParameters & NewWords & More>,
    write: EntryWrite,
    { executor, by, isHeavy, preparedFrom = null, locks, more }: Options<More>,
  ): Promise<boolean> {
    const { tenantId } = by;
    const newWords = this.knownWords.unknown(tenantId, write.type.id, vocabularyOf(write));
    const own = await heavyWork.runIf(isHeavy, tenantId, parametersOf(write, by));
    const parameters = { ...own, ...newWordColumns(newWords), ...more };
    const { documents } = write;
    const ofDocuments = documents && (await heavyWork.runIf(isHeavy, tenantId, documentParameters(documents)));
    const written = ofDocuments
      ? await this.attempts.commit(executor, tenantId, localized, {
          ...parameters,
          ...(locks ?? NO_LOCKS),
          ...ofDocuments,
          preparedFrom,
        })
      : locks
        ? await this.attempts.commit(executor, tenantId, locking, { ...parameters, ...locks })
        : await this.attempts.commit(executor, tenantId, plain, parameters);
    if (written.length === 0) return false;
    this.knownWords.add(tenantId, write.type.id, newWords);
    return true;
  }
}

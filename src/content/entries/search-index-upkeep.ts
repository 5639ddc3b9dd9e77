import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type NoParameters, type Statement, statement } from '../../database/statements/statement.js';
import { isForbidden } from '../../errors/database-problem.js';
import { forEachTenant } from '../../queues/each-tenant.js';
import { PeriodicTask } from '../../queues/periodic-task.js';

/** How soon the list is emptied after a search. */
const SEARCHED_MS = 250;
/**
 * How soon it is emptied after a write if nobody searches. A write that finds the list full (4 MB) empties it itself, which takes the better
 * part of a second, so it must not fill up while many entries are written.
 */
const WRITTEN_MS = 1_000;

/** Whose share of the connections is used. */
const SHARE = 'search index';

/** SQL that empties the list of the index that has the tenant's words. On a distributed database, that is an index of a shard, which has the shard's number. */
const sortIn = <const Table extends string>(table: Table) =>
  `SELECT gin_clean_pending_list(concat('${table}_search', substring((
      SELECT tableoid::regclass::text FROM ${table} WHERE tenant_id = :tenantId LIMIT 1
    ) FROM '_[0-9]+$'))::regclass)` as const;

const SORT_IN = statement<NoParameters, object>()('entries.sort_in', sortIn('entry_words'));

const SORT_IN_LOCALES = statement<NoParameters, object>()('entries.sort_in_locales', sortIn('entry_locale_words'));

/** An index of words, and what was done with it since its list was last emptied. */
class WordIndex {
  /** The tenants that this process has searched, or written. */
  private readonly searchedBy = new Set<string>();
  private readonly writtenBy = new Set<string>();
  /** The time of the first of these writes. */
  private writtenSince?: number;

  constructor(readonly sortIn: Statement<NoParameters, object>) {}

  written(tenantId: string): void {
    this.writtenBy.add(tenantId);
    this.writtenSince ??= Date.now();
  }

  searched(tenantId: string): void {
    this.searchedBy.add(tenantId);
  }

  /** Takes the tenants whose lists are to be emptied. On one server, all have the same list, so it returns one of them. */
  due(database: Database): string[] {
    const isLate = this.writtenSince !== undefined && Date.now() - this.writtenSince >= WRITTEN_MS;
    const due = [...new Set([...this.searchedBy, ...(isLate ? this.writtenBy : [])])];
    if (due.length === 0) return due;
    this.searchedBy.clear();
    if (isLate || !database.isDistributed) {
      this.writtenBy.clear();
      this.writtenSince = undefined;
    }
    if (database.isDistributed) return due;
    return due.filter((tenantId) => !database.isRestricted(tenantId)).slice(0, 1);
  }
}

/**
 * Sorts the words of recent writes into the search indexes. They are first written to an index's pending list, which every search reads
 * completely. A long list makes writes cheaper, because a word that several entries have is sorted in once. Therefore the list is emptied
 * more often while somebody searches.
 */
@Injectable()
export class SearchIndexUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SearchIndexUpkeep.name);
  private readonly task = new PeriodicTask(SEARCHED_MS, () => this.sortIn());
  private readonly words = new WordIndex(SORT_IN);
  private readonly localeWords = new WordIndex(SORT_IN_LOCALES);
  private isAllowed = true;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    // Every write of an entry's words is a version.
    this.database.onInserted('versions', (tenantId) => this.words.written(tenantId));
    this.database.onInserted('entry_locale_words', (tenantId) => this.localeWords.written(tenantId));
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Must be called for every search. Another process may have written what it has to read. */
  searched(tenantId: string, isInLocale: boolean): void {
    this.words.searched(tenantId);
    if (isInLocale) this.localeWords.searched(tenantId);
  }

  private async sortIn(): Promise<void> {
    const work = { name: SearchIndexUpkeep.name, database: this.database, isStopping: () => !this.isAllowed };
    for (const index of [this.words, this.localeWords]) {
      await forEachTenant(work, index.due(this.database), (tenantId) => this.sortInFor(tenantId, index));
    }
  }

  private async sortInFor(tenantId: string, { sortIn }: WordIndex): Promise<void> {
    try {
      await this.database.query(tenantId, sortIn, {}, SHARE);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.isAllowed = false;
      this.logger.warn(
        'Searches are slower while entries are written, because the tables belong to another role than that of DATABASE_URL',
      );
    }
  }
}

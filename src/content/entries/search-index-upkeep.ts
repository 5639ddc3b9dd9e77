import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type NoParameters, statement } from '../../database/statements/statement.js';
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

/** Empties the list of the index that has the tenant's words. On a distributed database, that is an index of a shard, which has the shard's number. */
const SORT_IN = statement<NoParameters, object>()(
  'entries.sort_in',
  `SELECT gin_clean_pending_list(concat('entry_words_search', substring((
      SELECT tableoid::regclass::text FROM entry_words WHERE tenant_id = :tenantId LIMIT 1
    ) FROM '_[0-9]+$'))::regclass)`,
);

/**
 * Sorts the words of recent writes into the search index. They are first written to the index's pending list, which every search reads
 * completely. A long list makes writes cheaper, because a word that several entries have is sorted in once. Therefore the list is emptied
 * more often while somebody searches.
 */
@Injectable()
export class SearchIndexUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SearchIndexUpkeep.name);
  private readonly task = new PeriodicTask(SEARCHED_MS, () => this.sortIn());
  /** The tenants that this process has searched, or written, since it last emptied their lists. */
  private readonly searchedBy = new Set<string>();
  private readonly writtenBy = new Set<string>();
  /** The time of the first of these writes. */
  private writtenSince?: number;
  private isAllowed = true;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    // Every write of an entry's words is a version.
    this.database.onInserted('versions', (tenantId) => {
      this.writtenBy.add(tenantId);
      this.writtenSince ??= Date.now();
    });
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Must be called for every search. Another process may have written what it has to read. */
  searched(tenantId: string): void {
    this.searchedBy.add(tenantId);
  }

  private async sortIn(): Promise<void> {
    const work = { name: SearchIndexUpkeep.name, database: this.database, isStopping: () => !this.isAllowed };
    await forEachTenant(work, this.due(), (tenantId) => this.sortInFor(tenantId));
  }

  private async sortInFor(tenantId: string): Promise<void> {
    try {
      await this.database.query(tenantId, SORT_IN, {}, SHARE);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.isAllowed = false;
      this.logger.warn(
        'Searches are slower while entries are written, because the tables belong to another role than that of DATABASE_URL',
      );
    }
  }

  /** Takes the tenants whose lists are to be emptied. On one server, all have the same list, so it returns one of them. */
  private due(): string[] {
    const isLate = this.writtenSince !== undefined && Date.now() - this.writtenSince >= WRITTEN_MS;
    const due = [...new Set([...this.searchedBy, ...(isLate ? this.writtenBy : [])])];
    if (due.length === 0) return due;
    this.searchedBy.clear();
    if (isLate || !this.database.isDistributed) {
      this.writtenBy.clear();
      this.writtenSince = undefined;
    }
    if (this.database.isDistributed) return due;
    return due.filter((tenantId) => !this.database.isRestricted(tenantId)).slice(0, 1);
  }
}

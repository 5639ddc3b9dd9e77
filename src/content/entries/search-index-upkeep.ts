import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { serviceStatement, type NoParameters } from '../../database/statement.js';
import { isForbidden } from '../../errors/database-problem.js';
import { PeriodicTask } from '../../queues/periodic-task.js';

/** How soon the list is emptied after a search. */
const SEARCHED_MS = 250;
/** How soon it is emptied after a write if nobody searches. */
const WRITTEN_MS = 5_000;

const SORT_IN = serviceStatement<NoParameters, object>()(
  'entries.sort_in',
  `SELECT gin_clean_pending_list('entry_words_search')`,
);

/**
 * Sorts the words of recent writes into the search index. They are first written to the index's pending list, which every search reads
 * completely. A long list makes writes cheaper, because a word that several entries have is sorted in once. Therefore the list is emptied
 * often while somebody searches, and otherwise seldom.
 */
@Injectable()
export class SearchIndexUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SearchIndexUpkeep.name);
  private readonly task = new PeriodicTask(SEARCHED_MS, () => this.sortIn());
  private hasSearched = false;
  /** The time of this process's first write since it last emptied the list. */
  private writtenSince?: number;
  private isAllowed = true;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    // Every write of an entry's words is a version.
    this.database.onInserted('versions', () => (this.writtenSince ??= Date.now()));
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Must be called for every search. Another process may have written what it has to read. */
  searched(): void {
    this.hasSearched = true;
  }

  private async sortIn(): Promise<void> {
    const isLate = this.writtenSince !== undefined && Date.now() - this.writtenSince >= WRITTEN_MS;
    if (!(this.hasSearched || isLate) || !this.isAllowed) return;
    this.hasSearched = false;
    this.writtenSince = undefined;
    try {
      await this.database.acrossTenants(SORT_IN, {});
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.isAllowed = false;
      this.logger.warn(
        'Searches are slower while entries are written, because the tables belong to another role than that of DATABASE_URL',
      );
    }
  }
}

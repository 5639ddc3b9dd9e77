import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { serviceStatement, type NoParameters } from '../../database/statement.js';
import { isForbidden } from '../../errors/database-problem.js';
import { PeriodicTask } from '../../queues/periodic-task.js';

const INTERVAL_MS = 1_000;

const SORT_IN = serviceStatement<NoParameters, object>()(
  'entries.sort_in',
  `SELECT gin_clean_pending_list('entry_words_search')`,
);

/**
 * Sorts the words of recent writes into the search index. They are first written to the index's pending list, which every search reads
 * completely. The list may be long, because long lists make writes cheaper; here it is emptied within a second of a write of this process.
 */
@Injectable()
export class SearchIndexUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SearchIndexUpkeep.name);
  private readonly task = new PeriodicTask(INTERVAL_MS, () => this.sortIn());
  private hasWritten = false;
  private isAllowed = true;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    // Every write of an entry's words is a version.
    this.database.onInserted('versions', () => (this.hasWritten = true));
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async sortIn(): Promise<void> {
    if (!this.hasWritten || !this.isAllowed) return;
    this.hasWritten = false;
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

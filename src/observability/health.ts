import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DatabaseProbe } from '../database/connections/database-probe.js';
import { DatabaseServers } from '../database/servers/database-servers.js';
import { Problem } from '../errors/problem.js';
import { StorageHealth } from './storage-health.js';

/** The database is checked at most once a second, however often a load balancer asks. */
const CACHED_MS = 1_000;
const RETRY_AFTER_S = 5;

/** Readiness of this process: the database responds, and writes that failed before succeed again. */
@Injectable()
export class Health {
  private readonly logger = new Logger(Health.name);
  private last?: { at: number; answer: Promise<void> };
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly servers: DatabaseServers,
    private readonly probe: DatabaseProbe,
    private readonly storage: StorageHealth,
  ) {}

  /** Makes the process not ready, so that load balancers send it no new requests. */
  noteStopping(): void {
    this.isStopping = true;
  }

  /**
   * Throws a 503 with the reason if the process is stopping or cannot serve requests. `degraded` means that it can serve those of some tenants
   * only; a load balancer would gain nothing from another process.
   */
  async readiness(): Promise<'ok' | 'degraded'> {
    if (this.isStopping) throw Problem.unavailable('The process is stopping.', RETRY_AFTER_S);
    if (!this.last || Date.now() - this.last.at > CACHED_MS) this.last = { at: Date.now(), answer: this.ask() };
    await this.last.answer;
    return this.servers.serversAway > 0 || this.database.abandoned.size > 0 ? 'degraded' : 'ok';
  }

  private async ask(): Promise<void> {
    await this.probe.read().catch(() => {
      throw Problem.unavailable('The database does not respond.', RETRY_AFTER_S);
    });
    if (this.database.writesFail) {
      await this.assertWritable('The database', () => this.probe.write());
      this.database.writesFail = false;
    }
    if (this.storage.lastFailure) await this.assertWritable('The storage for media files', () => this.storage.probe());
  }

  private async assertWritable(what: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.error({ err: error }, `${what} cannot be written to`);
      throw Problem.unavailable(`${what} cannot be written to.`, RETRY_AFTER_S);
    }
    this.logger.log(`${what} can be written to again`);
  }
}

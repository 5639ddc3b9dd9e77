import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { DatabaseChannel } from '../database/connections/database-channel.js';
import { DatabaseServers } from '../database/servers/database-servers.js';
import { DatabaseWatches } from '../database/connections/database-watches.js';

const CHANNEL = 'trivet_sweeps';

/** Follows the name of the sweep in a message. */
const FOUND = ' found';

/**
 * Lets the processes on a distributed database share their sweeps, each of which asks every shard of every server. A process that begins one
 * says so, and for the time `forMs` the others need not look. If it finds work, it says that too, and every process looks for itself. A message
 * that is lost costs one more sweep, and a process that ends during its sweep delays the next one by this time.
 */
@Injectable()
export class SharedSweeps {
  private channel?: DatabaseChannel;
  /** Names what the sweeps of this process look for. */
  private name = '';
  private heardAt = -Infinity;
  private forMs = 0;

  constructor(
    private readonly database: Database,
    private readonly servers: DatabaseServers,
    private readonly watches: DatabaseWatches,
  ) {}

  /** `finds` names what this process looks for. Only processes that look for the same can share their sweeps. */
  start(finds: readonly string[], forMs: number): void {
    if (!this.database.isDistributed) return;
    this.forMs = forMs;
    this.name = createHash('sha256').update(JSON.stringify(finds.toSorted())).digest('base64url').slice(0, 22);
    this.channel = this.watches.channel(CHANNEL, (message) => {
      if (message === this.name) this.heardAt = performance.now();
      else if (message === this.name + FOUND) this.heardAt = -Infinity;
    });
  }

  /** Whether another process has just begun a sweep, and has not found any work so far. */
  get isElsewhere(): boolean {
    return performance.now() - this.heardAt < this.forMs;
  }

  begin(): void {
    // A sweep that leaves out a server does not look for all work.
    if (this.servers.serversAway === 0) void this.channel?.send(this.name);
  }

  found(): void {
    void this.channel?.send(this.name + FOUND);
  }

  async stop(): Promise<void> {
    await this.channel?.stop();
  }
}

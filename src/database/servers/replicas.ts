import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Replica } from './replica.js';
import type { ConnectionUser } from '../connections/connection-queue.js';
import { PrimaryPosition } from './wal-position.js';

const CHECK_EVERY_MS = 1_000;

/**
 * The replicas of the database, which answer reads as the primary would: a replica first waits until it has replayed all that was committed
 * when the read began, in whatever process (docs/decisions/read-replicas.md).
 */
@Injectable()
export class Replicas implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly all: readonly Replica[];
  /** Reads that the primary answered because no replica could. */
  passedOn = 0;
  private readonly primary: PrimaryPosition;
  private readonly timers = new Map<Replica, NodeJS.Timeout>();
  private isStopped = false;

  constructor(url: string, replicaUrls: readonly string[], poolSize: number) {
    const logger = new Logger('Database');
    this.all = replicaUrls.map((replicaUrl) => new Replica(replicaUrl, poolSize, logger));
    this.primary = new PrimaryPosition(url);
  }

  onApplicationBootstrap(): void {
    for (const replica of this.all) void this.watch(replica);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.all([this.primary.end(), ...this.all.map((replica) => replica.end())]);
  }

  /** Runs a read. Returns undefined if no replica can, and the primary must be asked. */
  async run<Row>(share: ConnectionUser, query: QueryConfig): Promise<Row[] | undefined> {
    const replica = this.leastBusy();
    const position = replica && (await this.primary.read().catch(() => undefined));
    const rows = position && (await replica.run<Row>(share, query, position));
    if (!rows) this.passedOn++;
    return rows;
  }

  /** The number of statements of the share that wait for a replica. */
  waitingOf(share: string): number {
    let count = 0;
    for (const replica of this.all) count += replica.waitingOf(share);
    return count;
  }

  private leastBusy(): Replica | undefined {
    let best: Replica | undefined;
    for (const replica of this.all) {
      if (!replica.reason && (!best || replica.load < best.load)) best = replica;
    }
    return best;
  }

  /** Checks a replica again and again. Without the primary, there is nothing to compare it with. */
  private async watch(replica: Replica): Promise<void> {
    const position = await this.primary.read().catch(() => undefined);
    if (position) await replica.check(position);
    if (!this.isStopped) this.timers.set(replica, setTimeout(() => void this.watch(replica), CHECK_EVERY_MS).unref());
  }
}

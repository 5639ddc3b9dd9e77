import type { LoggerService, OnApplicationShutdown } from '@nestjs/common';
import { outageReason, RedisOutage } from './redis-outage.js';

const REMIND_EVERY_MS = 60_000;
/** Redis is back when no user reported an error for this long, so that a Redis that comes and goes does not fill the log. */
const SETTLE_MS = 1_000;

/** Logs an outage of Redis in one line when it begins, one for each minute of it, and one when all users are back. */
export class LoggedOutage extends RedisOutage implements OnApplicationShutdown {
  private readonly away = new Set<string>();
  private began?: number;
  private reminder?: NodeJS.Timeout;
  private settling?: NodeJS.Timeout;

  constructor(private readonly logger: Pick<LoggerService, 'log' | 'warn'>) {
    super();
  }

  begin(user: string, error: Error | undefined): void {
    this.away.add(user);
    clearTimeout(this.settling);
    if (this.began !== undefined) return;
    this.began = performance.now();
    const reason = outageReason(error);
    this.logger.warn(
      `REDIS_URL: Redis cannot be used (${reason}). Until it returns, jobs start from the tables of the database, and each process ` +
        'counts rate limits by itself',
      'Redis',
    );
    this.reminder = setInterval(() => {
      this.logger.warn(`REDIS_URL: Redis still cannot be used (${reason}), for ${this.duration()} now`, 'Redis');
    }, REMIND_EVERY_MS).unref();
  }

  end(user: string): void {
    if (!this.away.delete(user) || this.away.size > 0) return;
    this.settling = setTimeout(() => this.settle(), SETTLE_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.reminder);
    clearTimeout(this.settling);
  }

  private settle(): void {
    this.logger.log(`Redis can be used again, after ${this.duration()}`, 'Redis');
    clearInterval(this.reminder);
    this.began = undefined;
  }

  private duration(): string {
    const seconds = Math.round((performance.now() - (this.began ?? 0)) / 1_000);
    return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  }
}

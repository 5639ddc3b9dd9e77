import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';

/** However often a load balancer asks, the database is asked once a second at most. */
const KEPT_FOR = 1000;
const PATIENCE = 2000;

@Injectable()
export class Health {
  private last?: { at: number; answer: Promise<void> };

  constructor(private readonly database: Database) {}

  /** 503 when the database doesn't answer within two seconds. */
  async assertReady(): Promise<void> {
    if (!this.last || Date.now() - this.last.at > KEPT_FOR) this.last = { at: Date.now(), answer: this.ask() };
    await this.last.answer;
  }

  private async ask(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The database does not answer.')), PATIENCE);
    });
    try {
      await Promise.race([this.database.acrossTenants('SELECT 1'), late]);
    } catch {
      throw new Problem('unavailable', 'The database does not answer.', undefined, { 'Retry-After': '5' });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A consumer that reads the change feed by its cursor during the whole run, through every failure. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.mjs';

const PAUSE_MS = 100;

export class Feed {
  /** The events in the order of arrival. */
  events = [];
  isStopped = false;
  /** The number of empty pages so far. */
  ends = 0;

  constructor(client, tenantId) {
    this.client = client;
    this.path = `/v1/events/${tenantId}?per_page=100`;
  }

  start() {
    this.reading = this.read();
    this.reading.catch(() => {});
  }

  /** Stops after the feed returned two more empty pages. */
  async stop() {
    const goal = this.ends + 2;
    await Promise.race([this.reading, until(() => this.ends >= goal, 'the feed has no more events')]);
    this.isStopped = true;
    await this.reading;
  }

  async read() {
    let cursor = '';
    while (!this.isStopped) {
      const answer = await this.client.request('GET', `${this.path}&cursor=${cursor}`).catch(() => undefined);
      if (answer?.status === 200) {
        this.events.push(...answer.body.data);
        cursor = answer.body.meta.next_cursor;
        if (answer.body.data.length === 0) this.ends++;
      } else if (answer !== undefined && answer.status < 500) {
        throw new Error(`The feed answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      if (answer?.body.data?.length !== 100) await sleep(PAUSE_MS);
    }
  }
}

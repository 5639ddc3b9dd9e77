import { randomUUID } from 'node:crypto';
import type { TestApp, TestTenant } from './app.js';
import type { Receiver } from './receiver.js';
import { until } from './until.js';

export interface DeliveryRecord {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  next_attempt_at: string | null;
  attempts: {
    status: number | null;
    error: string | null;
    response: string;
    duration_ms: number;
    attempted_at: string;
  }[];
}

/** A webhook with its own path at a receiver, in a tenant with a content type that causes events. */
export class Subscription {
  private constructor(
    readonly app: TestApp,
    readonly tenant: TestTenant,
    readonly receiver: Receiver,
    /** The receiver's path, which no other test uses. */
    readonly path: string,
    readonly id: string,
    /** The webhook's path in the API. */
    readonly webhook: string,
    private readonly entries: string,
  ) {}

  static async create(app: TestApp, receiver: Receiver, body: object = {}, of?: Subscription): Promise<Subscription> {
    const tenant = of?.tenant ?? app.tenant();
    const path = `/${randomUUID()}`;
    const created = await tenant.http
      .post(`/v1/webhooks/${tenant.id}`, { url: receiver.url(path), events: ['entry.created'], ...body })
      .expect(201);
    const id = created.body.data.id as string;
    const entries = of?.entries ?? (await newEntries(tenant));
    return new Subscription(app, tenant, receiver, path, id, `/v1/webhooks/${tenant.id}/${id}`, entries);
  }

  /** Causes an `entry.created`; returns the entry. */
  async happen(title = 'Something'): Promise<{ id: string }> {
    return (await this.tenant.http.post(this.entries, { fields: { title } }).expect(201)).body.data as { id: string };
  }

  async deliveries(query = ''): Promise<DeliveryRecord[]> {
    return (await this.tenant.http.get(`${this.webhook}/deliveries${query}`).expect(200)).body.data as DeliveryRecord[];
  }

  /** Resolves when the newest delivery has this status and at least this number of attempts. */
  async newest(status: string, attempts = 0): Promise<DeliveryRecord> {
    return until(async () => {
      const [delivery] = await this.deliveries();
      return delivery?.status === status && delivery.attempts.length >= attempts && delivery;
    });
  }
}

async function newEntries(tenant: TestTenant): Promise<string> {
  const fields = [{ name: 'title', type: 'text' }];
  const type = await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'Note', fields }).expect(201);
  return `/v1/content/${tenant.id}/types/${type.body.data.id}/entries`;
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statements/statement.js';
import { PASSED } from './positions.sql.js';
import { type EventAbout, Subscribers } from './subscriber.js';

/** Events behind a position that are looked at. A subscriber that is further behind counts as one that has passed nothing. */
const LOOK_AHEAD = 5_000;

const UNRELAYED = statement<{ ids: readonly string[] }, { id: string }>()(
  'events.unrelayed',
  'SELECT event_id AS id FROM pending_events WHERE tenant_id = :tenantId AND event_id = ANY (:ids::uuid[])',
);

/** Returns those of the events that follow a position, and whether more follow it than were looked at. */
const AFTER = statement<{ position: string; ids: readonly string[] }, { ids: string[]; isFar: boolean }>()(
  'events.after',
  `WITH next AS MATERIALIZED (
      SELECT event_id FROM event_positions WHERE tenant_id = :tenantId AND position > :position::bigint ORDER BY position LIMIT ${LOOK_AHEAD}
    )
    SELECT ARRAY(SELECT event_id FROM next WHERE event_id = ANY (:ids::uuid[])) AS ids,
      (SELECT count(*) FROM next) = ${LOOK_AHEAD} AS "isFar"`,
);

/** Says what subscribers still have to do for events. */
@Injectable()
export class EventProgress {
  constructor(
    private readonly database: Database,
    private readonly subscribers: Subscribers,
  ) {}

  /**
   * Returns the IDs of those of the events, at most 1,000, that are not in the feed yet, that a subscriber has not passed, or for which a
   * subscriber has work to do. All are returned if this process lacks a subscriber, because only the subscriber knows its work.
   */
  async unfinished(tenantId: string, events: readonly EventAbout[]): Promise<ReadonlySet<string>> {
    if (events.length === 0) return new Set();
    const ids = events.map(({ id }) => id);
    // In this order: what was relayed or passed before the next look has its rows.
    const unrelayed = await this.database.query(tenantId, UNRELAYED, { ids });
    const names = this.subscribers.positioned().map(({ name }) => name);
    const [passed] = await this.database.query(tenantId, PASSED, { names });
    const [after] = await this.database.query(tenantId, AFTER, { position: passed?.position ?? '0', ids });
    if (!after || after.isFar) return new Set(ids);
    const found = new Set([...unrelayed.map(({ id }) => id), ...after.ids]);
    for (const subscriber of this.subscribers.all()) {
      for (const id of (await subscriber.unfinished?.(tenantId, events)) ?? []) found.add(id);
    }
    return found;
  }
}

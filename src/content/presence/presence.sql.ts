import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';

/** How long somebody is shown who has not announced themselves again. */
const FRESH = `interval '30 seconds'`;
/** An actor is shown at the entries that they announced last. */
const MAX_ENTRIES = 100;
/** Those who have had an entry open for the longest time are shown. */
const MAX_SHOWN = 100;

interface OfActor {
  entryId: string;
  actor: string;
}

const ENTRY = part(
  'entry',
  'SELECT id FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId',
  { returns: { id: 'uuid' } },
);

/**
 * Announces an actor at an entry. Returns no row if there is no such entry. Somebody who was away for longer than they are shown is there since now.
 */
export const ANNOUNCE_PRESENCE = write<OfActor & { typeId: string; name: string | null }, { id: string }>()(
  'presence.announce',
  [
    ENTRY,
    insert(
      'announced',
      `INSERT INTO entry_presence AS p (tenant_id, actor, entry_id, name, since, seen_at)
      SELECT :tenantId, :actor, entry.id, :name, now(), now()
      FROM entry
      ON CONFLICT (tenant_id, actor, entry_id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at,
        since = CASE WHEN p.seen_at < excluded.seen_at - ${FRESH} THEN excluded.since ELSE p.since END`,
    ),
  ],
  { columns: 'id', of: 'entry' },
);

/** Forgets the other entries of an actor that are not fresh, and those beyond the limit. Rows that another request holds are left to that one. */
export const PRUNE_PRESENCE = statement<OfActor, never>()(
  'presence.prune',
  `DELETE FROM entry_presence WHERE tenant_id = :tenantId AND actor = :actor AND entry_id IN (
      SELECT p.entry_id FROM entry_presence p JOIN (
        SELECT entry_id, seen_at < now() - ${FRESH} OR row_number() OVER (ORDER BY seen_at DESC, entry_id) >= ${MAX_ENTRIES} AS is_over
        FROM entry_presence WHERE tenant_id = :tenantId AND actor = :actor AND entry_id <> :entryId
      ) o ON o.entry_id = p.entry_id AND o.is_over
      WHERE p.tenant_id = :tenantId AND p.actor = :actor FOR UPDATE OF p SKIP LOCKED
    )`,
);

/** Returns no row if there is no such entry. */
export const LEAVE = write<OfActor & { typeId: string }, { id: string }>()(
  'presence.leave',
  [
    ENTRY,
    part('gone', 'DELETE FROM entry_presence WHERE tenant_id = :tenantId AND actor = :actor AND entry_id = :entryId'),
  ],
  { columns: 'id', of: 'entry' },
);

/** Somebody who has the entry open. If nobody has, there is one row without `actor`. */
export interface PresentRow {
  actor: string | null;
  name: string | null;
  since: string | null;
}

/** Returns who has the entry open, those first who are there longest. Returns no row if there is no such entry. */
export const LIST_PRESENT = statement<{ typeId: string; entryId: string }, PresentRow>()(
  'presence.list',
  `SELECT p.actor, p.name, p.since FROM entries e
    LEFT JOIN entry_presence p ON p.tenant_id = :tenantId AND p.entry_id = :entryId AND p.seen_at >= now() - ${FRESH}
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId
    ORDER BY p.since, p.actor LIMIT ${MAX_SHOWN}`,
);

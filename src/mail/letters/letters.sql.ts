import { type NoParameters, statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { claimDue } from '../../work/work.sql.js';
import { LETTERS } from '../mail-work.sql.js';
import type { LetterKind } from './letter.entity.js';

/** Letters, each with its properties at the same position in the lists. */
interface NewLetters {
  ids: readonly string[];
  kinds: readonly LetterKind[];
  recipients: readonly string[];
  contents: readonly string[];
}

/** Adds letters, except those that were added before. */
export const ADD_LETTERS = write<NewLetters, never>()('letters.add', [
  insert(
    'added',
    `INSERT INTO letters (tenant_id, id, kind, recipient, content, status, attempts, next_attempt_at, created_at)
      SELECT :tenantId, n.id, n.kind, n.recipient, n.content, 'pending', 0, now(), now()
      FROM unnest(:ids::uuid[], :kinds::text[], :recipients::uuid[], :contents::text[]) AS n (id, kind, recipient, content)
      ON CONFLICT DO NOTHING`,
  ),
]);

const CANCELED =
  "status = 'canceled', content = NULL, recipient = NULL, next_attempt_at = NULL, claimed_until = NULL, finished_at = now()" as const;

/** Cancels letters also during an attempt, whose result then changes nothing: a failed attempt is not repeated. */
export const CANCEL_LETTERS = statement<{ ids: readonly string[] }, never>()(
  'letters.cancel',
  `UPDATE letters SET ${CANCELED} WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[]) AND status = 'pending'`,
);

export const CANCEL_LETTERS_TO = statement<{ recipient: string }, { id: string }>()(
  'letters.cancel_to',
  `UPDATE letters SET ${CANCELED} WHERE tenant_id = :tenantId AND recipient = :recipient::uuid AND status = 'pending'
    RETURNING id`,
);

/** Returns a row if the letter waits or is in an attempt. */
export const PENDING_LETTER = statement<{ id: string }, object>()(
  'letters.pending',
  `SELECT 1 FROM letters WHERE tenant_id = :tenantId AND id = :id::uuid AND status = 'pending'`,
);

/** Deletes some of the letters that were sent or given up a month ago. */
export const PRUNE_LETTERS = statement<NoParameters, never>()(
  'letters.prune',
  `DELETE FROM letters WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT id FROM letters WHERE tenant_id = :tenantId AND status <> 'pending' AND finished_at < now() - interval '30 days'
      ORDER BY finished_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ))`,
);

/** A claimed letter. */
export interface ClaimedLetterRow {
  id: string;
  /** The number of attempts before this one. */
  attempts: number;
  claimedUntil: string;
  kind: LetterKind;
  createdAt: string;
  content: string;
}

/** Claims the letters that have been due longest. */
export const CLAIM_LETTERS = statement<{ limit: number; leaseMs: number }, ClaimedLetterRow>()(
  'letters.claim',
  `WITH ${claimDue(LETTERS)}
    SELECT c.id, c.attempts, c.claimed_until AS "claimedUntil", c.kind, c.created_at AS "createdAt", c.content FROM claimed c`,
);

import { keepToTypes, type OfTypes } from '../../content/narrowed-lists.js';
import { statement } from '../../database/statements/statement.js';

/** The content type of an entry. A tenant has few content types, and each of them is one look-up. */
export const TYPE_OF_ENTRY = statement<OfTypes & { entryId: string }, { id: string }>()(
  'mcp.type_of_entry',
  `SELECT t.id FROM content_types t
    WHERE t.tenant_id = :tenantId AND ${keepToTypes('t.id')} AND EXISTS (
      SELECT FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = t.id AND e.id = :entryId
    )
    LIMIT 1`,
);

import { newestFirst, newestFirstList } from '../../lists/newest-first.js';
import { columnCondition } from '../../lists/conditions/column-condition.js';
import { rowCondition } from '../../lists/conditions/row-condition.js';
import type { Reader } from '../../database/servers/replica-reads.js';
import type { ListResult } from '../../lists/engine/list-reader.js';
import type { Page } from '../../lists/page.js';

/** A member as the list reads it: without the role, which the table of members only refers to. */
interface ListedMember {
  id: string;
  email: string;
  name: string;
  roleId: string;
  joinedAt: string | null;
  lastSeenAt: string | null;
}

interface MemberFilters {
  /** The words that the name or the email address must contain, in any case. */
  words: readonly string[];
  /** UUID. */
  roleId?: string;
}

const COLUMNS = {
  email: 'email',
  name: 'name',
  roleId: 'role_id',
  joinedAt: 'joined_at',
  lastSeenAt: 'last_seen_at',
};
const ROLE = { name: 'role_id', type: 'uuid' };
const FOLDED = `lower((e.name || ' ' || e.email) COLLATE "und-x-icu")`;

/** Reads a page of the members who meet the filters, newest first. */
export async function listMembers(
  reads: Reader,
  tenantId: string,
  page: Page,
  { words, roleId }: MemberFilters,
): Promise<ListResult<ListedMember>> {
  const list = newestFirstList({
    name: JSON.stringify(['members', roleId, words]),
    table: 'members',
    columns: COLUMNS,
  });
  const conditions = [
    ...(roleId === undefined ? [] : [columnCondition({ column: ROLE, operator: '=', values: [roleId] })]),
    ...(words.length === 0
      ? []
      : [
          rowCondition((bindings) => {
            const each = `lower(word COLLATE "und-x-icu")`;
            return `(SELECT bool_and(strpos(${FOLDED}, ${each}) > 0) FROM unnest(${bindings.add(words)}::text[]) AS word)`;
          }),
        ]),
  ];
  return newestFirst<ListedMember>(reads, tenantId, page, list, conditions);
}

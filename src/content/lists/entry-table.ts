import type { Bindings } from '../../database/statements/bindings.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { readName, LOCALE_STATE } from '../../fields/localized/localized-names.js';
import type { Condition } from '../../lists/conditions/condition.js';
import type { Scope } from '../../lists/conditions/scope.js';
import { columnIs } from '../../lists/conditions/column-condition.js';
import type { ListTable } from '../../lists/engine/list-table.js';
import { unlessLarge } from '../../lists/large-json.js';
import type { Shape } from '../reading/shape.js';
import type { CompiledType } from '../schemas.js';
import { referredTypes } from './entry-conditions.js';
import { counterOfType } from './entry-counts.sql.js';
import type { SearchedWords } from '../words/searched-words.js';
import { fieldsOfVersion, liveFields } from '../entries/live-fields.js';

/** The entries of a content type, which is read in this version, with the words that searches look at. A page shows the columns of the shape. */
export function entryTable(
  { id, version }: Pick<CompiledType, 'id' | 'version'>,
  shape: Shape,
  words: Pick<SearchedWords, 'table' | 'view'> = { table: 'entry_words' },
): ListTable {
  const published = shape === 'full' ? ['published_at'] : [];
  return {
    name: 'entries',
    id: 'id',
    parent: { column: 'content_type_id', id },
    columns: {
      read: (row, bindings) => {
        const others = ['size', 'status', 'version', 'created_at', 'updated_at', ...published];
        const columns = others.map((column) => `${row}.${column}`);
        return `${fieldsOfVersion(row, bindings.add(version))} AS fields, ${columns.join(', ')}`;
      },
      shown: (row) => `${unlessLarge(`${row}.fields`, `${row}.size`)} AS fields, ${row}.status, ${row}.version,
        ${row}.created_at AS "createdAt", ${row}.updated_at AS "updatedAt"${published.map((column) => `, ${row}.${column} AS "publishedAt"`).join('')}`,
    },
    values: { table: 'entry_values', row: 'entry_id', storedText },
    words: { table: words.table, view: words.view, row: 'entry_id' },
    counters: {
      all: counterOfType('drafts + published'),
      of: counterOf,
      state: stateOf,
      versions: (conditions) => [version, ...referredTypes(conditions).map((target) => target.version)],
    },
    version: { expected: version, current: currentVersion },
  };
}

/** The counters have the number of all entries, and of those with a status. */
function counterOf(conditions: readonly Condition[]): string | undefined {
  const [only, ...others] = conditions;
  if (!only) return counterOfType('drafts + published');
  const status = others.length === 0 ? columnIs(only, 'status') : undefined;
  return status && counterOfType(status === 'draft' ? 'drafts' : 'published');
}

/** The entries of the types that the conditions look at have another state after every write. */
function stateOf(conditions: readonly Condition[], bindings: Bindings): string {
  const others = referredTypes(conditions).map(({ typeId }) => typeId);
  const types = others.length === 0 ? '$2' : `ANY ($2::uuid || ${bindings.add(others)}::uuid[])`;
  return `(SELECT coalesce(bit_xor(state), 0) FROM entry_counts WHERE tenant_id = $1 AND content_type_id = ${types})`;
}

function currentVersion(conditions: readonly Condition[], bindings: Bindings): string {
  const targets = referredTypes(conditions);
  const version = `SELECT t.version FROM content_types t WHERE t.tenant_id = $1 AND t.id = $2`;
  if (targets.length === 0) return `(${version})`;
  const ids = bindings.add(targets.map(({ typeId }) => typeId));
  const versions = bindings.add(targets.map((target) => target.version));
  return `(${version} AND (
      SELECT bool_and((
        SELECT true FROM content_types o WHERE o.tenant_id = $1 AND o.id = n.type AND o.version = n.version
      ) IS TRUE) FROM unnest(${ids}::uuid[], ${versions}::int[]) AS n (type, version)
    ))`;
}

/** SQL of the first of these members that an entry has. Those of locales that are taken off are passed over. */
function shownMember(fields: string, sources: readonly string[], bindings: Bindings): string {
  const members = sources.map((name) => {
    const { locale } = readName(name);
    const member = `${fields} -> ${bindings.add(name)}`;
    if (locale === undefined) return member;
    const off = `(${fields} -> '${LOCALE_STATE}' -> 'off')::jsonb`;
    return `CASE WHEN jsonb_exists(${off}, ${bindings.add(locale)}) IS TRUE THEN NULL ELSE ${member} END`;
  });
  return `coalesce(${members.join(', ')})`;
}

/** SQL that selects whether a value of the entry `id` passes a test. The value may be in a group. */
function storedText(
  { path, multiple, definition, sources }: CompiledField,
  id: string,
  test: (text: string) => string,
  scope: Scope,
) {
  const { bindings, parent } = scope;
  const fields = `(${liveFields('e', parent, '$1')})`;
  const [member = '', ...inside] = path.split('.');
  // A localized field has its values in several members.
  const top = sources ? `json_build_object('', ${shownMember(fields, sources, bindings)})` : fields;
  const names = [sources ? '' : member, ...inside].map((name) => bindings.add(name));
  const group = [top, ...names.slice(0, -1)].join(' -> ');
  const [json, text] = [`${group} -> ${names.at(-1)}`, `${group} ->> ${names.at(-1)}`];
  const isMedia = definition.type === 'media';
  const holds = multiple
    ? `EXISTS (SELECT FROM json_array_elements(${json}) AS value WHERE ${test(isMedia ? `value ->> 'url'` : `value #>> '{}'`)})`
    : test(isMedia ? `${json} ->> 'url'` : text);
  return `SELECT ${holds} FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = ${parent} AND e.id = ${id}`;
}

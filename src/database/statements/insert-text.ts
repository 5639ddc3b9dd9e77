/** An INSERT of a write (see `insert`), taken apart. */
interface InsertText {
  /** The table and its columns. */
  into: string;
  /** The list of values. */
  values: string;
  /** The part whose rows are inserted. */
  of: string | undefined;
  /** The arrays whose elements are inserted, by the names of their columns. */
  arrays: ReadonlyMap<string, string>;
  /** The name of the arrays' rows. */
  as: string | undefined;
  /** The arrays in FROM. */
  elements: string | undefined;
  /** The parameters without which nothing is inserted. */
  needs: readonly string[];
  /** ON CONFLICT and RETURNING, with a blank before; empty if there are none. */
  end: string;
}

type Clause = 'SELECT' | 'VALUES' | 'FROM' | 'WHERE' | 'ORDER BY' | 'ON CONFLICT' | 'RETURNING';
/** A text, a parenthesis, or the word that begins a clause. */
const TOKEN = /'[^']*'|[()]|(?<!DISTINCT )\b(?:SELECT|VALUES|FROM|WHERE|ORDER BY|ON CONFLICT|RETURNING)\b/g;

/** Throws if the text is not an INSERT in one of the forms that `insert` takes. */
export function readInsert(text: string): InsertText {
  const clauses = clausesOf(text);
  const { VALUES, SELECT, FROM = '', WHERE } = clauses;
  const [row, ...otherRows] = listOf(VALUES ?? '');
  const values = VALUES === undefined ? SELECT : /^\(([\s\S]*)\)$/.exec(row ?? '')?.[1];
  const into = /^INSERT INTO ([\s\S]+)/.exec(clauses.head)?.[1];
  if (into === undefined || values === undefined || otherRows.length > 0) throw wrong(text);
  const given = WHERE === undefined ? undefined : /^:(\w+)\S* IS NOT NULL$/.exec(WHERE)?.[1];
  if (WHERE !== undefined && given === undefined) throw wrong(text);
  const [relation, arrays] = FROM.startsWith('unnest(') ? [undefined, FROM] : splitOnce(FROM);
  const [, lists = '', as, names = ''] = /^unnest\(([\s\S]*)\) AS (\w+) \(([\s\S]*)\)$/.exec(arrays ?? '') ?? [];
  if ((arrays !== undefined && as === undefined) || !/^\w*$/.test(relation ?? '')) throw wrong(text);
  const expressions = listOf(lists);
  const first = /^:(\w+)/.exec(expressions[0] ?? '')?.[1];
  return {
    into,
    values,
    of: relation || undefined,
    arrays: new Map(listOf(names).map((name, index) => [name, expressions[index] ?? ''])),
    as,
    elements: arrays,
    needs: [first, given].filter((name) => name !== undefined),
    end: clauses.end === '' ? '' : ` ${clauses.end}`,
  };
}

/** Splits the text before the words of its clauses. `end` begins with ON CONFLICT or RETURNING. */
function clausesOf(text: string): { head: string; end: string } & Partial<Record<Clause, string>> {
  const found: { head: string; end: string } & Partial<Record<Clause, string>> = { head: '', end: '' };
  let [name, start, depth]: [Clause | 'head', number, number] = ['head', 0, 0];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && !token.startsWith("'")) {
      found[name] = text.slice(start, index).trim();
      if (token === 'ON CONFLICT' || token === 'RETURNING') return { ...found, end: text.slice(index).trim() };
      [name, start] = [token as Clause, index + token.length];
    }
  }
  found[name] = text.slice(start).trim();
  return found;
}

/** Splits a list at its commas, except those in parentheses and brackets. */
function listOf(text: string): string[] {
  const items: string[] = [];
  let [start, depth] = [0, 0];
  for (const [index, character] of [...text].entries()) {
    if ('(['.includes(character)) depth++;
    else if (')]'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      items.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' ? items : [...items, last];
}

function splitOnce(text: string): [first: string, rest: string | undefined] {
  const comma = text.indexOf(',');
  return comma < 0 ? [text, undefined] : [text.slice(0, comma).trim(), text.slice(comma + 1).trim()];
}

function wrong(text: string): Error {
  return new Error(`Not an INSERT that a write can contain: ${text}`);
}

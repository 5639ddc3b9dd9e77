import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runAtOnce, type SlicedWork } from '../../admission/sliced-work.js';
import { type CompiledField, ELEMENTS } from '../../fields/compiled-field.js';
import { localeStateOf } from '../../fields/localized/locale-state.js';
import { shownValue } from '../../fields/localized/shown-value.js';
import { supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';
import type { SearchLine } from '../../fields/search-text.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import type { Highlighters } from './locale-highlighters.js';
import type { EntryFields } from '../entries/writes/entry-values.js';

/** Characters of JSON that the highlights of an entry have at most. Fields beyond them are left out. */
const MAX_CHARACTERS = 65_536;

const NONE = '{}';

/** Finds the highlights of entries: for each field that matches a search, fragments of its text. */
export class EntryHighlights {
  constructor(
    private readonly schema: Schema,
    private readonly highlighters: Highlighters,
    /** Whose turn heavy work takes. */
    private readonly share: string,
  ) {}

  /** Returns the JSON of the highlights of each row. Rows are looked at one after the other, so that only one is held as values. */
  async of(rows: readonly Pick<EntryRow, 'fields'>[]): Promise<string[]> {
    const characters = rows.reduce((sum, { fields }) => sum + fields.length, 0);
    const steps = this.ofRows(rows);
    return isHeavy(characters) ? heavyWork.run(this.share, steps) : runAtOnce(steps);
  }

  private *ofRows(rows: readonly Pick<EntryRow, 'fields'>[]): SlicedWork<string[]> {
    const highlights: string[] = [];
    for (const { fields } of rows) {
      highlights.push(this.highlighters.of(undefined).seeksWords ? yield* this.ofFields(fields) : NONE);
      yield;
    }
    return highlights;
  }

  private *ofFields(fields: string): SlicedWork<string> {
    const values = (yield* parseSliced(fields)) as EntryFields;
    const members: string[] = [];
    let characters = NONE.length;
    for (const field of this.schema.ownFields) {
      const { value, code } = this.shown(field, values);
      const fragments = yield* this.highlighters.of(code).fragments(yield* textsOf(field, value));
      if (fragments.length === 0) continue;
      const member = `${JSON.stringify(field.name)}:${JSON.stringify(fragments)}`;
      characters += member.length + 1;
      if (characters > MAX_CHARACTERS) break;
      members.push(member);
    }
    return `{${members.join(',')}}`;
  }

  /** The value that the search looked at, and the locale that it is of if the field is localized. */
  private shown({ name }: CompiledField, values: EntryFields): { value: unknown; code?: string } {
    if (!this.schema.localized.has(name)) return { value: supplied(values, name) };
    const { reading } = this.highlighters;
    if (!reading) return { value: supplied(values, name) };
    const shown = shownValue(values, name, reading, localeStateOf(values).off);
    return { value: shown?.value, code: shown?.from };
  }
}

/** The texts that search reads of a value. A field whose text is not its value has HTML. */
function* textsOf(field: CompiledField, value: unknown): SlicedWork<string[]> {
  const texts: string[] = [];
  if (!field.searchable || value === undefined) return texts;
  let count = 0;
  for (const leaf of field.leaves(value, '')) {
    if (++count % ELEMENTS === 0) yield;
    if (!leaf) continue;
    for (const line of yield* leaf.field.searchLines(leaf.value, 'body')) {
      const [only] = line;
      const isValue = leaf.field.type.searchLines === undefined && only && line.length === 1;
      texts.push(isValue ? only.text : yield* shownText(line));
    }
  }
  return texts;
}

/** UTF-16 units whose white space one step joins. */
const PIECE = 8_192;
const SPACES = /[\t\n\f\r][\t\n\f\r ]*| [\t\n\f\r ]+/g;

/** Returns the text of a line of HTML as browsers show it: all white space in a row is one space. */
function* shownText(line: SearchLine): SlicedWork<string> {
  const parts: string[] = [];
  let endsWithSpace = true;
  for (const { text } of line) {
    for (let from = 0; from < text.length; from += PIECE) {
      const part = text.slice(from, from + PIECE).replace(SPACES, ' ');
      parts.push(endsWithSpace && part.startsWith(' ') ? part.slice(1) : part);
      endsWithSpace = part.endsWith(' ');
      yield;
    }
  }
  return parts.join('');
}

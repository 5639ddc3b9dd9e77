import { FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { checkbox } from './form-types/checkbox.js';
import { date as formDate } from './form-types/date.js';
import { email as formEmail } from './form-types/email.js';
import { file } from './form-types/file.js';
import { hidden } from './form-types/hidden.js';
import { number as formNumber } from './form-types/number.js';
import { select as formSelect } from './form-types/select.js';
import { tel } from './form-types/tel.js';
import { text as formText } from './form-types/text.js';
import { textarea } from './form-types/textarea.js';
import { url as formUrl } from './form-types/url.js';
import { blocks } from './types/blocks.js';
import { boolean } from './types/boolean.js';
import { date } from './types/date.js';
import { datetime } from './types/datetime.js';
import { email } from './types/email.js';
import { group } from './types/group.js';
import { integer } from './types/integer.js';
import { json } from './types/json.js';
import { media } from './types/media.js';
import { number } from './types/number.js';
import { reference } from './types/reference.js';
import { richText } from './types/rich-text.js';
import { select } from './types/select.js';
import { text } from './types/text.js';
import { url } from './types/url.js';

type FieldTypes = Readonly<Record<string, FieldType>>;

/** Trivet's own types of content fields by name, in the order of the documentation. */
const CONTENT: FieldTypes = {
  text,
  rich_text: richText,
  media,
  number,
  integer,
  boolean,
  date,
  datetime,
  email,
  url,
  select,
  json,
  reference,
  group,
  blocks,
};

/** Trivet's own types of form fields by name; their values are strings. */
const FORM: FieldTypes = {
  text: formText,
  email: formEmail,
  textarea,
  number: formNumber,
  tel,
  url: formUrl,
  date: formDate,
  select: formSelect,
  checkbox,
  hidden,
  file,
};

let registered: Record<FieldKind, ReadonlyMap<string, FieldType>> = { content: mapOf(CONTENT), form: mapOf(FORM) };

/** Sets the types that extensions add to Trivet's own. Throws if a name is taken. */
export function registerFieldTypes(added: readonly Partial<Record<FieldKind, FieldTypes>>[]): void {
  const all = (own: FieldTypes, kind: FieldKind) => mapOf(own, ...added.map((types) => types[kind] ?? {}));
  registered = { content: all(CONTENT, 'content'), form: all(FORM, 'form') };
}

/** The types that fields of this kind may have. */
export function typesOf(kind: FieldKind): ReadonlyMap<string, FieldType> {
  return registered[kind];
}

function mapOf(...types: readonly FieldTypes[]): ReadonlyMap<string, FieldType> {
  const entries = types.flatMap((some) => Object.entries(some));
  const map = new Map(entries);
  const [twice] = entries.find(([name, type]) => map.get(name) !== type) ?? [];
  if (twice !== undefined) throw new Error(`There are two field types with the name ${twice}.`);
  return map;
}

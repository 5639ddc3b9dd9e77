import { FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { checkboxFormType } from './form-types/checkbox.js';
import { dateFormType as formDate } from './form-types/date.js';
import { emailFormType as formEmail } from './form-types/email.js';
import { fileFormType } from './form-types/file.js';
import { hiddenFormType } from './form-types/hidden.js';
import { numberFormType as formNumber } from './form-types/number.js';
import { selectFormType as formSelect } from './form-types/select.js';
import { telFormType } from './form-types/tel.js';
import { textFormType as formText } from './form-types/text.js';
import { textareaFormType } from './form-types/textarea.js';
import { urlFormType as formUrl } from './form-types/url.js';
import { blocksType } from './types/blocks.js';
import { booleanType } from './types/boolean.js';
import { dateType } from './types/date.js';
import { datetimeType } from './types/datetime.js';
import { emailType } from './types/email.js';
import { groupType } from './types/group.js';
import { integerType } from './types/integer.js';
import { jsonType } from './types/json.js';
import { mediaType } from './types/media.js';
import { numberType } from './types/number.js';
import { referenceType } from './types/reference.js';
import { richTextType } from './types/rich-text.js';
import { selectType } from './types/select.js';
import { textType } from './types/text.js';
import { urlType } from './types/url.js';

type FieldTypes = Readonly<Record<string, FieldType>>;

/** Trivet's own types of content fields by name, in the order of the documentation. */
const CONTENT: FieldTypes = {
  text: textType,
  rich_text: richTextType,
  media: mediaType,
  number: numberType,
  integer: integerType,
  boolean: booleanType,
  date: dateType,
  datetime: datetimeType,
  email: emailType,
  url: urlType,
  select: selectType,
  json: jsonType,
  reference: referenceType,
  group: groupType,
  blocks: blocksType,
};

/** Trivet's own types of form fields by name; their values are strings. */
const FORM: FieldTypes = {
  text: formText,
  email: formEmail,
  textarea: textareaFormType,
  number: formNumber,
  tel: telFormType,
  url: formUrl,
  date: formDate,
  select: formSelect,
  checkbox: checkboxFormType,
  hidden: hiddenFormType,
  file: fileFormType,
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

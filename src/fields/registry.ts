import { FieldKind } from './field-definition.js';
import { FieldType } from './field-type.js';
import { checkbox } from './form-types/checkbox.js';
import { date as formDate } from './form-types/date.js';
import { email as formEmail } from './form-types/email.js';
import { hidden } from './form-types/hidden.js';
import { number as formNumber } from './form-types/number.js';
import { select as formSelect } from './form-types/select.js';
import { tel } from './form-types/tel.js';
import { text as formText } from './form-types/text.js';
import { textarea } from './form-types/textarea.js';
import { url as formUrl } from './form-types/url.js';
import { boolean } from './types/boolean.js';
import { date } from './types/date.js';
import { datetime } from './types/datetime.js';
import { email } from './types/email.js';
import { integer } from './types/integer.js';
import { json } from './types/json.js';
import { media } from './types/media.js';
import { number } from './types/number.js';
import { reference } from './types/reference.js';
import { richText } from './types/rich-text.js';
import { select } from './types/select.js';
import { text } from './types/text.js';
import { url } from './types/url.js';

/** The types of content fields by name, in the order of the documentation. */
const contentFieldTypes: ReadonlyMap<string, FieldType> = new Map(
  Object.entries({
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
  }),
);

/** The types of form fields by name; their values are strings. */
const formFieldTypes: ReadonlyMap<string, FieldType> = new Map(
  Object.entries({
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
  }),
);

/** The types that fields of this kind may have. */
export function typesOf(kind: FieldKind): ReadonlyMap<string, FieldType> {
  return kind === 'content' ? contentFieldTypes : formFieldTypes;
}

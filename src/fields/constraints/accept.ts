import type { FieldDefinition } from '../field-definition.js';
import { type AttributeCheck, checkList } from './attribute-check.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** The media types that files may have. `image/*` stands for all images. */
    accept: string[];
  }
}

const MAX_ACCEPTED = 50;
// A media type (RFC 6838); each of its names has at most 64 characters. A star stands for every name.
const MEDIA_TYPE = /^(?:\*\/\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}\/(?:\*|[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}))$/;

export const accept: Constraint = {
  checkAttribute(value, check) {
    checkList(value, check, { max: MAX_ACCEPTED, noun: 'media type', nouns: 'media types' }, checkMediaType);
  },
  schema: () => ({
    type: 'array',
    items: { type: 'string', pattern: MEDIA_TYPE.source },
    minItems: 1,
    maxItems: MAX_ACCEPTED,
    uniqueItems: true,
    description:
      'The media types that files may have. They are read from the bytes; the type that was sent counts only for plain text. By default, all ' +
      'types are accepted. Programs and scripts are refused in any case.',
    example: ['image/*', 'application/pdf'],
  }),
  // The value is the name of the file. Its type is read from its bytes (see `accepts`).
  values: { of: 'nothing' },
  change: { concerns: 'nothing' },
};

function checkMediaType(type: unknown, check: AttributeCheck, isRepeated: boolean): void {
  if (typeof type !== 'string') check.fault('type', 'must be a string');
  else if (!MEDIA_TYPE.test(type)) check.fault('format', 'must be a media type such as image/png or image/*');
  else if (isRepeated) check.fault('duplicate', 'repeats an earlier media type');
}

/** Whether the field takes files of the type. Types have no case. */
export function accepts({ accept: types }: FieldDefinition, mimeType: string): boolean {
  if (types === undefined) return true;
  const family = `${mimeType.slice(0, mimeType.indexOf('/'))}/*`;
  return types.some((type) => [mimeType, family, '*/*'].includes(type.toLowerCase()));
}

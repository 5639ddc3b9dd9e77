import { type AttributeCheck, checkString } from '../constraints/attribute-check.js';

/** Only in an update of a content type: the name that the field had before. It is not stored. */
export const RENAMED_FROM = 'renamed_from';
const MAX_NAME = 64;
export const MAX_LABEL = 255;
export const MAX_HELP = 1_000;

/** The checks of the attributes that are not constraints, except for `name`, `type` and `default`, which need the whole definition. */
export const ATTRIBUTES: ReadonlyMap<string, (value: unknown, check: AttributeCheck) => void> = new Map(
  Object.entries({
    label: checkString(MAX_LABEL),
    help: checkString(MAX_HELP),
    [RENAMED_FROM]: checkString(MAX_NAME),
  }),
);

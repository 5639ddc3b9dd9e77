import { TEMPLATES } from '../../types/templates';

/** Templates with fields. */
export const TYPE_TEMPLATES = TEMPLATES.filter(({ fields }) => fields.length > 0);

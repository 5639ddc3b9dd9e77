import { isRecord, supplied } from '../../fields/record.js';
import { isBlank } from '../../validation/blank.js';
import type { CompiledForm } from '../form-schemas.js';

/** What a submission contains beside the values of its fields. */
export interface OwnValues {
  /** `_t` */
  token: unknown;
  /** `_altcha` */
  proof: unknown;
  /** Whether the honeypot is filled in. */
  honeypot: boolean;
}

export const TOKEN = '_t';
export const PROOF = '_altcha';
/** Honeypots of forms that were made for other services (Formspree, Netlify). They count without a setting. */
export const USUAL_TRAPS: readonly string[] = ['_gotcha', 'bot-field'];

/**
 * Separates `_t`, `_altcha` and the honeypots from the fields as they were sent, by whatever way. A honeypot that is a field of the form stays
 * among the fields too. Changes nothing that was passed.
 */
export function takeOwnValues(
  sent: unknown,
  { schema, settings }: Pick<CompiledForm, 'schema' | 'settings'>,
): { fields: unknown; own: OwnValues } {
  if (!isRecord(sent)) return { fields: sent, own: { token: undefined, proof: undefined, honeypot: false } };
  const trap = settings.spam?.honeypot;
  const field = trap === undefined ? undefined : schema.field(trap);
  const usual = USUAL_TRAPS.filter((name) => !schema.field(name));
  const own = {
    token: supplied(sent, TOKEN),
    proof: supplied(sent, PROOF),
    honeypot:
      (trap !== undefined && !isEmpty(supplied(sent, trap), field?.definition.type === 'checkbox')) ||
      usual.some((name) => !isEmpty(supplied(sent, name), false)),
  };
  const taken = [TOKEN, PROOF, ...usual, ...(trap === undefined || field ? [] : [trap])];
  if (!taken.some((name) => Object.hasOwn(sent, name))) return { fields: sent, own };
  return { fields: Object.fromEntries(Object.entries(sent).filter(([name]) => !taken.includes(name))), own };
}

function isEmpty(value: unknown, isCheckbox: boolean): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && (isBlank(value) || (isCheckbox && value === 'false'));
}

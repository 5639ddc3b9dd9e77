import type { ValueError } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import type { FormSettings } from './form-settings.js';
import { placeholdersIn } from './placeholders.js';
import type { ValueErrorCode } from '../../errors/value-errors.js';

/** Whether `_redirect` and the setting `redirect` may lead to the origin. */
export type MayRedirect = (settings: FormSettings, origin: string) => boolean;

/**
 * Returns the errors of settings that do not fit the fields of the form, or each other. The settings were checked by their DTO, the fields
 * by `checkDefinitions`.
 */
export function checkSettings(
  settings: FormSettings,
  fields: readonly FieldDefinition[],
  mayRedirect: MayRedirect,
): ValueError[] {
  const check = new SettingsCheck(settings, new Map(fields.map((field) => [field.name, field])));
  check.rules();
  check.autoresponder();
  check.honeypot();
  check.redirect(mayRedirect);
  return check.errors;
}

class SettingsCheck {
  readonly errors: ValueError[] = [];

  constructor(
    private readonly settings: FormSettings,
    private readonly fields: ReadonlyMap<string, FieldDefinition>,
  ) {}

  rules(): void {
    for (const [index, { subject = '', when }] of (this.settings.notify ?? []).entries()) {
      const path = `settings.notify.${index}`;
      if (when && !this.fields.has(when.field)) this.unknown(`${path}.when.field`, when.field);
      this.placeholders(`${path}.subject`, subject);
    }
  }

  autoresponder(): void {
    const { autoresponder, spam } = this.settings;
    if (!autoresponder) return;
    const path = 'settings.autoresponder';
    const { field, subject, text } = autoresponder;
    const type = this.fields.get(field)?.type;
    if (type === undefined) this.unknown(`${path}.field`, field);
    else if (type !== 'email') this.add(`${path}.field`, 'reference', 'must be the name of an email field');
    this.placeholders(`${path}.subject`, subject, { longTexts: false });
    this.placeholders(`${path}.text`, text, { longTexts: false });
    // Otherwise a program could make the form send emails to anybody.
    const isDefended = spam?.challenge === true || (spam?.honeypot !== undefined && spam.min_seconds !== undefined);
    if (!isDefended) {
      this.add(path, 'required', 'requires spam.challenge, or spam.honeypot with spam.min_seconds');
    }
  }

  honeypot(): void {
    const name = this.settings.spam?.honeypot;
    if (name === undefined || this.fields.get(name)?.required !== true) return;
    this.add('settings.spam.honeypot', 'conflict', 'must not be a required field, because it must be blank');
  }

  redirect(mayRedirect: MayRedirect): void {
    const { redirect } = this.settings;
    if (redirect === undefined || mayRedirect(this.settings, new URL(redirect).origin)) return;
    const origins = 'redirect_origins, one of the allowed_origins of the tenant, or the origin of the service';
    this.add('settings.redirect', 'origin', `must have an origin of ${origins}`);
  }

  /** `longTexts`: whether placeholders may stand for `textarea` fields. */
  private placeholders(path: string, text: string, { longTexts = true } = {}): void {
    for (const name of placeholdersIn(text)) {
      const type = this.fields.get(name)?.type;
      if (type === undefined) this.unknown(path, name);
      else if (type === 'textarea' && !longTexts) {
        this.add(path, 'reference', `must not contain the value of the textarea ${name}`);
      }
    }
  }

  private unknown(path: string, name: string): void {
    this.add(path, 'reference', `names ${name}, which is not a field of the form`);
  }

  private add(path: string, code: ValueErrorCode, message: string): void {
    this.errors.push({ path, code, message: `${path} ${message}.` });
  }
}

import type { Language, OwnText } from '../pages/texts/page-texts.js';

/** An email for submissions, beside `notify_email`. */
export interface NotifyRule {
  to: readonly string[];
  /** May contain placeholders. */
  subject?: string;
  /** Only submissions whose field has this value. */
  when?: { field: string; equals: string };
}

/** An email to the visitor. */
export interface Autoresponder {
  /** The name of the `email` field with the visitor's address. */
  field: string;
  /** May contain placeholders. */
  subject: string;
  /** May contain placeholders. */
  text: string;
}

/** The checks that decide whether a submission is spam. Each is off unless it is set. */
export interface SpamSettings {
  /** The name of a field that must be blank. */
  honeypot?: string;
  /** Whether a proof of work is required. */
  challenge?: boolean;
  /** The time between the page and the submission, in seconds. */
  min_seconds?: number;
  /** Whether a submission without a valid time token is spam. */
  require_token?: boolean;
  max_links?: number;
  blocked_words?: readonly string[];
  /** Seconds. */
  duplicates_within?: number;
}

/** Words that replace those of the pages. */
export type FormTexts = Partial<Record<OwnText, string>>;

/** The settings of a form, as requests and responses have them. All are optional. */
export interface FormSettings {
  notify?: readonly NotifyRule[];
  autoresponder?: Autoresponder;
  redirect_origins?: readonly string[];
  /** Where the hosted page leads after a submission. */
  redirect?: string;
  /** What the hosted page says after a submission. */
  thanks?: string;
  /** The language of the pages. Without it, the visitor's. */
  language?: Language;
  /** The form's own words on the pages. */
  texts?: FormTexts;
  /** The time zone of times in emails (IANA). */
  time_zone?: string;
  spam?: SpamSettings;
  retention_days?: number;
  /** Submissions a minute from one address to the form. */
  rate_limit?: number;
  store?: boolean;
  closed?: boolean;
}

/** Settings of a request: null removes a setting. */
export type SentSettings = { [Name in keyof FormSettings]?: FormSettings[Name] | null };

/** Returns the settings after a change; null if none is left. */
export function mergeSettings(before: FormSettings | null, sent: SentSettings): FormSettings | null {
  const merged = Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null && value !== undefined);
  return merged.length === 0 ? null : Object.fromEntries(merged);
}

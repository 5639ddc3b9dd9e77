/** The languages of the pages of forms, and the plural forms that each of them has (`Intl.PluralRules`). */
interface PluralForms {
  en: 'one' | 'other';
  de: 'one' | 'other';
  fr: 'one' | 'many' | 'other';
  es: 'one' | 'many' | 'other';
  it: 'one' | 'many' | 'other';
  pt: 'one' | 'many' | 'other';
  nl: 'one' | 'other';
  pl: 'one' | 'few' | 'many' | 'other';
  ja: 'other';
  ar: 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
}

export type Language = keyof PluralForms;

/** A text with `{n}`, in each plural form of the language. */
type Plural<Of extends Language> = Readonly<Record<PluralForms[Of], string>>;

/** What a form may say in its own words (`settings.texts`). */
export type OwnText = 'submit' | 'choose' | 'required' | 'not_sent' | 'thanks_title' | 'back' | 'closed';

/** Every text of the service that a visitor of a form may see. Names in braces stand for values. */
export interface PlainTexts extends Record<OwnText, string> {
  /** The note above the form. `{mark}` is the mark of a required field. */
  marked: string;
  /** Beside the label of a required group of boxes. */
  required_group: string;

  /** Limits of a number, beside its field. */
  number_range: string;
  number_min: string;
  number_max: string;
  /** Limits of a file. */
  file_limit: string;
  files_limit: string;

  /** The title of a page with errors. */
  error_title: string;
  files_again: string;

  /** Messages beside a field. `required` is the one of a text. */
  required_box: string;
  required_choice: string;
  required_file: string;
  email: string;
  url: string;
  tel: string;
  number: string;
  date: string;
  min: string;
  max: string;
  options: string;
  pattern: string;
  one_value: string;
  one_file: string;
  file_too_large: string;
  file_empty: string;
  file_type: string;
  file_program: string;
  characters: string;
  invalid: string;

  /** What is wrong with the form itself. */
  owner: string;
  owner_details: string;

  thanks: string;
  to_form: string;
  continue: string;

  not_found_title: string;
  not_found: string;
  rate_limited_title: string;
  rate_limited: string;
  payload_too_large_title: string;
  payload_too_large: string;
  unavailable_title: string;
  unavailable: string;
  request_timeout_title: string;
  request_timeout: string;
  limit_reached_title: string;
  limit_reached: string;
  forbidden_title: string;
  forbidden: string;
  failed_title: string;
  failed: string;

  /** The field that visitors do not see. */
  trap: string;
  /** What the script of the page says about the challenge. */
  checking: string;
  checked: string;
  check_waits: string;
  check_failed: string;
  no_script: string;
}

/** Texts with a count. */
export const COUNTED = ['length_range', 'length_min', 'length_max', 'too_short', 'too_long', 'too_many_files'] as const;
export type CountedText = (typeof COUNTED)[number];

/** All texts in one language. A missing one does not compile. */
export type PageTexts<Of extends Language> = Readonly<PlainTexts & Record<CountedText, Plural<Of>>>;

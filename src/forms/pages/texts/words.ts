import type { Request } from 'express';
import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { nl } from './nl.js';
import type { CountedText, Language, OwnText, PageTexts, PlainTexts } from './page-texts.js';
import { pl } from './pl.js';
import { pt } from './pt.js';

const TEXTS: { readonly [Of in Language]: PageTexts<Of> } = { en, de, fr, es, it, pt, nl, pl, ja, ar };

/** The languages of the pages. The first one is that of visitors who name none of them. */
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(['ar']);

const plurals = new Map(LANGUAGES.map((language) => [language, new Intl.PluralRules(language)]));
const numbers = new Map(
  LANGUAGES.map((language) => [language, new Intl.NumberFormat(language, { maximumSignificantDigits: 17 })]),
);
/** The units of sizes as file managers show them, the largest first, and how long their names are. */
const UNITS = [
  [1_000_000, 'megabyte', 'short'],
  [1_000, 'kilobyte', 'short'],
  [1, 'byte', 'long'],
] as const;

const sizes = new Map(
  LANGUAGES.map((language) => [
    language,
    UNITS.map(([bytes, unit, unitDisplay]) => ({
      bytes,
      format: new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }),
    })),
  ]),
);

/** Returns the language that the visitor's browser asks for (`Accept-Language`). */
export function languageOf(request: Pick<Request, 'acceptsLanguages'>): Language {
  return (request.acceptsLanguages([...LANGUAGES]) || 'en') as Language;
}

/** What the pages of a form say, in one language, with the words that the form sets itself. */
export class Words {
  constructor(
    readonly language: Language,
    private readonly own: Partial<Record<OwnText, string>> = {},
  ) {}

  get direction(): 'ltr' | 'rtl' {
    return RIGHT_TO_LEFT.has(this.language) ? 'rtl' : 'ltr';
  }

  text(name: keyof PlainTexts, values: Readonly<Record<string, string>> = {}): string {
    return this.own[name as OwnText] ?? fill(TEXTS[this.language][name], values);
  }

  /** Returns what a missing value of a kind means. The words of the form for it are those of every kind. */
  required(kind: 'required' | 'required_box' | 'required_choice' | 'required_file'): string {
    return this.own.required ?? this.text(kind);
  }

  /** Returns the text in the plural form of the count, which replaces `{n}`. */
  counted(name: CountedText, count: number, values: Readonly<Record<string, string>> = {}): string {
    const forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = TEXTS[this.language][name];
    const form = plurals.get(this.language)?.select(count) ?? 'other';
    return fill(forms[form] ?? '', { ...values, n: this.number(count) });
  }

  number(value: number): string {
    return numbers.get(this.language)?.format(value) ?? String(value);
  }

  /** A number of bytes. Rounds down, so that no file that is shown as allowed is refused. */
  size(count: number): string {
    const unit = sizes.get(this.language)?.find(({ bytes }) => count >= bytes);
    if (!unit) return this.number(count);
    const inUnit = count / unit.bytes;
    return unit.format.format(inUnit < 10 ? Math.floor(inUnit * 10) / 10 : Math.floor(inUnit));
  }
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

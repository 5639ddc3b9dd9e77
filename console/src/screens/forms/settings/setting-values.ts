import type { FormChanges, FormDetail, FormSettings, SpamSettings } from '../../../api/forms';

/** What the page holds. Lists are separated by commas or lines. */
export interface SettingValues {
  name: string;
  slug: string;
  notifyEmail: string;
  answers: boolean;
  answerField: string;
  answerSubject: string;
  answerText: string;
  thanks: string;
  redirect: string;
  redirectOrigins: string;
  language: string;
  honeypot: string;
  challenge: boolean;
  minSeconds: string;
  maxLinks: string;
  blockedWords: string;
  duplicatesWithin: string;
  retentionDays: string;
  rateLimit: string;
  discards: boolean;
  closed: boolean;
}

export function settingValuesOf({
  name,
  slug,
  notify_email: notifyEmail = '',
  settings = {},
}: FormDetail): SettingValues {
  const { autoresponder, spam = {} } = settings;
  return {
    name,
    slug,
    notifyEmail,
    answers: autoresponder !== undefined,
    answerField: autoresponder?.field ?? '',
    answerSubject: autoresponder?.subject ?? '',
    answerText: autoresponder?.text ?? '',
    thanks: settings.thanks ?? '',
    redirect: settings.redirect ?? '',
    redirectOrigins: settings.redirect_origins?.join('\n') ?? '',
    language: settings.language ?? '',
    honeypot: spam.honeypot ?? '',
    challenge: spam.challenge ?? false,
    minSeconds: textOf(spam.min_seconds),
    maxLinks: textOf(spam.max_links),
    blockedWords: spam.blocked_words?.join('\n') ?? '',
    duplicatesWithin: textOf(spam.duplicates_within),
    retentionDays: textOf(settings.retention_days),
    rateLimit: textOf(settings.rate_limit),
    discards: settings.store === false,
    closed: settings.closed ?? false,
  };
}

/** The request that makes the form what the page says. Settings that the page does not show stay. */
export function changesOf(values: SettingValues, form: FormDetail): FormChanges {
  return {
    name: values.name.trim(),
    slug: values.slug.trim(),
    notify_email: values.notifyEmail.trim() || null,
    settings: {
      autoresponder: values.answers
        ? { field: values.answerField, subject: values.answerSubject, text: values.answerText }
        : null,
      thanks: values.thanks || null,
      redirect: values.redirect.trim() || null,
      redirect_origins: nonEmpty(linesOf(values.redirectOrigins)),
      language: values.language || null,
      spam: spamOf(values, form.settings),
      retention_days: numberOf(values.retentionDays),
      rate_limit: numberOf(values.rateLimit),
      store: values.discards ? false : null,
      closed: values.closed || null,
    },
  };
}

/** It is replaced as a whole, so what the page does not show is sent along. */
function spamOf(values: SettingValues, settings: FormSettings = {}): SpamSettings | null {
  const numbers = {
    min_seconds: numberOf(values.minSeconds),
    max_links: numberOf(values.maxLinks),
    duplicates_within: numberOf(values.duplicatesWithin),
  };
  const spam = {
    ...(settings.spam?.require_token && { require_token: true }),
    ...(values.honeypot.trim() !== '' && { honeypot: values.honeypot.trim() }),
    ...(values.challenge && { challenge: true }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== null)),
    ...(linesOf(values.blockedWords).length > 0 && { blocked_words: linesOf(values.blockedWords) }),
  };
  return Object.keys(spam).length > 0 ? spam : null;
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function nonEmpty(lines: string[]): string[] | null {
  return lines.length > 0 ? lines : null;
}

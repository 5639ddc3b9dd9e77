import type { UseFormSetError } from 'react-hook-form';
import { ApiProblem } from '../../../api/problem';
import { showProblem } from '../../../parts/form-problem';
import type { SettingValues } from './setting-values';

/** The field of the page, and its label, by the path that the service names. */
const FIELDS: readonly (readonly [path: string, field: keyof SettingValues, label: string])[] = [
  ['name', 'name', 'Name'],
  ['slug', 'slug', 'Address'],
  ['notify_email', 'notifyEmail', 'Send submissions to'],
  ['settings.autoresponder.field', 'answerField', 'Address of the visitor'],
  ['settings.autoresponder.subject', 'answerSubject', 'Subject'],
  ['settings.autoresponder.text', 'answerText', 'Text'],
  ['settings.autoresponder', 'answers', 'Answer'],
  ['settings.thanks', 'thanks', 'Thanks'],
  ['settings.redirect_origins', 'redirectOrigins', 'Websites'],
  ['settings.redirect', 'redirect', 'Page'],
  ['settings.spam.honeypot', 'honeypot', 'Trap'],
  ['settings.spam.min_seconds', 'minSeconds', 'Seconds'],
  ['settings.spam.max_links', 'maxLinks', 'Links'],
  ['settings.spam.blocked_words', 'blockedWords', 'Words'],
  ['settings.spam.duplicates_within', 'duplicatesWithin', 'Seconds'],
  ['settings.retention_days', 'retentionDays', 'Days'],
  ['settings.rate_limit', 'rateLimit', 'Submissions'],
];

const LABELS: Partial<Record<keyof SettingValues, string>> = Object.fromEntries(
  FIELDS.map(([, field, label]) => [field, label]),
);

export function showSettingProblem(error: unknown, setError: UseFormSetError<SettingValues>): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const errors = error.errors.map((each) => {
    const found = FIELDS.find(([path]) => each.path === path || each.path.startsWith(`${path}.`));
    if (!found) return each;
    const [, field, label] = found;
    return { ...each, path: field, message: each.message.replace(each.path, label) };
  });
  const { status, code, message, requestId } = error;
  const named = new ApiProblem({ status, code, detail: message, errors, ...(requestId && { request_id: requestId }) });
  return showProblem(named, setError, LABELS);
}

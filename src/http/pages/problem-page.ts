import { type Problem, type ProblemCode, PROBLEMS } from '../../errors/problem.js';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import { htmlPage } from './html-page.js';

const LATER = 'Load the page again later. If that does not help, tell the operator the ID of the request.';
const ADVICE: Partial<Record<ProblemCode, string>> = {
  method_not_allowed: 'This address is for programs, or for forms of other pages.',
  internal_error: LATER,
  insufficient_storage: LATER,
};

/** Returns the page that a person sees whose browser opened an address with a problem. `requestId` is what the operator needs to find the cause. */
export function problemPage(problem: Problem, requestId: string): string {
  const { code, detail, errors = [] } = problem;
  const { title, status } = PROBLEMS[code];
  const list = errors.length > 1 ? errors.map(({ message }) => `<li>${escapeHtml(message)}</li>`) : [];
  const body = [
    `<h1>${title}</h1>`,
    `<p>${escapeHtml(detail)}</p>`,
    ...(list.length > 0 ? [`<ul>\n${list.join('\n')}\n</ul>`] : []),
    ...adviceFor(problem).map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    `<p><small>${status} <code>${code}</code>, request <code>${escapeHtml(requestId)}</code></small></p>`,
  ];
  return htmlPage(title, body.join('\n'));
}

/** Returns what a person can do, in sentences. */
function adviceFor({ code, headers }: Problem): string[] {
  const { 'Retry-After': seconds, 'WWW-Authenticate': scheme } = headers;
  // `/admin` asks for a password instead.
  if (scheme === 'Bearer') return ['This address is for programs, which send a key with each request.'];
  if (seconds !== undefined) return [`Wait for ${seconds} s, then load the page again.`];
  return [ADVICE[code] ?? []].flat();
}

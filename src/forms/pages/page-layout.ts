import { createHash, randomBytes } from 'node:crypto';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { PageView } from './page-view.js';
import type { Words } from './texts/words.js';

const DARK =
  '--text: #ececec; --dim: #b5b5b5; --line: #8e8e8e; --box: #262626; --back: #1b1b1b; --accent: #8ab4f8; --on: #1b1b1b; --bad: #f2b8b5';

/** Light or dark as the page says, or as the reader prefers, and readable on a phone. The contrasts are at least 4.5. */
const STYLE = `
:root { color-scheme: light dark; --text: #1b1b1b; --dim: #595959; --line: #767676; --box: #fff; --back: #fff; --accent: #0b57d0; --on: #fff; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${DARK} } }
[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark; ${DARK} }
*, ::before, ::after { box-sizing: border-box }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); margin: 0; overflow-wrap: anywhere }
.page { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem }
.embedded .page { max-width: none; padding: .25rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1.5rem }
p { margin: 0 0 1rem }
.text { white-space: pre-line }
.field, fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0 }
label, legend { display: block; padding: 0; font-weight: 600; margin-bottom: .25rem }
.choice { display: flex; gap: .6rem; align-items: flex-start; margin: .35rem 0 }
.choice label { font-weight: 400; margin: 0 }
.choice.single label { font-weight: 600 }
.choice input { width: 1.25rem; height: 1.25rem; margin: .12rem 0 0; flex: none; accent-color: var(--accent) }
.hint { color: var(--dim); margin: 0 0 .35rem; white-space: pre-line }
button + .hint { margin: .6rem 0 0 }
.error { color: var(--bad); font-weight: 600; margin: 0 0 .35rem }
.mark { color: var(--bad) }
.control { display: block; width: 100%; font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: .3rem; padding: .55rem .7rem; min-height: 2.75rem }
textarea.control { resize: vertical }
.control[aria-invalid=true] { border-color: var(--bad); border-width: 2px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button { font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 0; border-radius: .3rem; padding: .65rem 1.4rem; min-height: 2.75rem; cursor: pointer }
.summary { border: 2px solid var(--bad); border-radius: .3rem; padding: .75rem 1rem; margin: 0 0 1.5rem }
.summary h2 { font-size: 1.1rem; margin: 0 0 .5rem }
.summary ul { margin: 0 0 .5rem; padding-inline-start: 1.2rem }
.summary p:last-child { margin: 0 }
.summary details { margin: 0 0 .5rem }
.summary a { color: var(--bad) }
a { color: var(--accent) }
`;

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
/** Only such origins may stand in a policy: hosts may contain commas and semicolons. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/i;

interface FormPage {
  title: string;
  words: Words;
  theme: PageView['theme'];
  /** HTML. */
  body: string;
  /** The origins whose pages may show the page in a frame; `*` stands for all. Undefined: no page may. */
  framedBy?: readonly string[];
  /** The origins that the form of the page may lead to, beside the own one. Undefined: the page has no form. */
  leadsTo?: readonly string[];
  /** The path of a script of this service. */
  script?: string;
}

/** A page as a response. */
export interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

/** Returns a whole page, and its headers. The page loads nothing except its script. */
export function renderPage({ title, words, theme, body, framedBy, leadsTo, script }: FormPage): RenderedPage {
  const nonce = script === undefined ? undefined : randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    'img-src data:',
    ...(nonce === undefined ? [] : [`script-src 'nonce-${nonce}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    `form-action ${leadsTo ? ["'self'", ...leadsTo.filter(isPlain)].join(' ') : "'none'"}`,
    `frame-ancestors ${framedBy ? ["'self'", ...framedBy.filter(isPlain)].join(' ') : "'none'"}`,
  ];
  // The page around the frame has a `main` of its own. Its parts must have different names.
  const label = framedBy ? ` aria-label="${escapeHtml(title)}"` : '';
  const colours = theme === undefined ? '' : ` data-theme="${theme}"`;
  const tag = nonce === undefined ? '' : `\n<script src="${escapeHtml(script ?? '')}" nonce="${nonce}" defer></script>`;
  return {
    html: `<!doctype html>
<html lang="${words.language}" dir="${words.direction}"${framedBy ? ' class="embedded"' : ''}${colours}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>${tag}
</head>
<body>
<main class="page"${label}>
${body}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      // The browser must send `Origin` with the form, and no other site learns the address of the page.
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'private, no-cache',
    },
  };
}

function isPlain(origin: string): boolean {
  return origin === '*' || PLAIN_ORIGIN.test(origin);
}

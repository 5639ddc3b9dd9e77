import { createHash } from 'node:crypto';
import { escapeHtml } from '../../fields/formats/escape-html.js';

/** The style of the service's own pages: light or dark as the reader prefers, readable on a phone. */
const STYLE = `
:root { color-scheme: light dark; --dim: #595959; --line: #d9d9d9; --box: #f4f4f4 }
@media (prefers-color-scheme: dark) { :root { --dim: #a3a3a3; --line: #444; --box: #262626 } }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
code, pre { font: .9em/1.5 ui-monospace, monospace }
p code { color: var(--dim) }
pre { background: var(--box); padding: .75rem 1rem; white-space: pre-wrap }
small, caption { color: var(--dim) }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal }
caption { text-align: left }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top }
dt { margin-top: .75rem }
dd { margin: 0 0 0 1.5rem }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
`;

/** Pages load nothing, not even an icon, and run no script. The hash allows only `STYLE`. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

/** Returns a whole page. `title` is text; `body` is HTML. With `refreshSeconds`, browsers load it again after that time. */
export function htmlPage(title: string, body: string, refreshSeconds?: number): string {
  const refresh = refreshSeconds === undefined ? '' : `\n<meta http-equiv="refresh" content="${refreshSeconds}">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

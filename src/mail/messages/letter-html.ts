import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { LetterParts } from './letter-parts.js';

/** Most mail programs apply the styles of elements. Those that know a dark theme apply these rules, too. */
const RULES = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .text { color: #e6e6e6 !important; }
    .small, .small a { color: #a8a8a8 !important; }
    .button { background: #7ab3ff !important; border-color: #7ab3ff !important; color: #0d1b2e !important; }
    .quote { border-color: #5c5c5c !important; }
  }
`;

const PARAGRAPH = 'margin:0 0 16px';
const BUTTON =
  'display:inline-block;padding:10px 20px;border:1px solid #1b5fc1;border-radius:6px;background:#1b5fc1;color:#ffffff;font-weight:bold;text-decoration:none';
const SMALL = 'color:#5f5f5f;font-size:13px;line-height:1.5';
/** Follows the preheader, so that mail programs do not show the next sentence after it. */
const NOTHING_MORE = '&#847;&zwnj;&nbsp;'.repeat(60);

/** Returns the HTML of a letter: without tables, images and anything that is loaded. */
export function letterHtml({ title, preheader, paragraphs, quote, button, url, after, footer }: LetterParts): string {
  const href = escapeHtml(url);
  const content = [
    ...paragraphs.map((text) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`),
    ...(quote ? [quoteHtml(quote)] : []),
    `<p style="margin:24px 0 8px"><a class="button" href="${href}" style="${BUTTON}">${escapeHtml(button)}</a></p>`,
    `<p class="small" style="margin:0 0 24px;${SMALL}">If the button does not work, open this address:<br>
<a href="${href}" style="color:#5f5f5f;word-break:break-all">${href}</a></p>`,
    ...after.map((text) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`),
  ];
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${RULES}</style>
</head>
<body style="margin:0;padding:0">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preheader)}${NOTHING_MORE}</div>
<div class="text" lang="en" style="max-width:560px;padding:24px 20px;overflow-wrap:anywhere;color:#1f1f1f;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<h1 style="margin:0 0 16px;font-size:21px;line-height:1.3">${escapeHtml(title)}</h1>
${content.join('\n')}
<p class="small" style="margin:24px 0 0;${SMALL}">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;
}

function quoteHtml(lines: readonly string[]): string {
  return `<blockquote class="quote" dir="auto" style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #c4c4c4">${lines
    .map(escapeHtml)
    .join('<br>\n')}</blockquote>`;
}

/** The HTML around a page of the guides. It contains no script and no style, which the policy forbids. */
import { rootOf, escape } from './markdown.mjs';
import { pathOf } from './pages.mjs';

/** Replaced when a search is answered: the query as the value of an attribute, and the results as HTML. */
export const QUERY = '{{query}}';
export const RESULTS = '{{results}}';

/**
 * Returns a whole page. `main` is its HTML, `contents` are the lists of docs/README.md, and `root` is the way to /guides/ (of the address
 * without the slash: `guides/`).
 */
export function page({ path, file, title, main, headings = [], contents, style, root = rootOf(path) }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Trivet guides</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}${style}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="home" href="${root}">Trivet guides</a>
<form role="search" action="${root}search">
<input type="search" name="q" maxlength="200" aria-label="Search the guides" placeholder="Search the guides" value="${path === 'search' ? QUERY : ''}">
<button>Search</button>
</form>
<ul>
<li class="narrow"><a href="#contents">Contents</a></li>
<li><a href="${root}../docs">API reference</a></li>
<li><a href="${root}../problems">Problems</a></li>
</ul>
</header>
<div class="columns">
<main id="main" tabindex="-1">
${withHeadings(main, headings)}${file ? `<p class="source"><a href="${root}${file}">This page as Markdown</a></p>\n` : ''}</main>
<nav id="contents" aria-label="Contents">
${contents.map((section) => list(section, path, root)).join('\n')}
</nav>
</div>
</body>
</html>
`;
}

/** Puts the list of the headings below the title, if there are several. */
function withHeadings(main, headings) {
  if (headings.length < 3) return main;
  const items = headings.map(({ id, html }) => `<li><a href="#${id}">${html.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`);
  const nav = `<nav class="headings" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
  return main.replace('</h1>\n', `</h1>\n${nav}`);
}

function list({ title, pages }, path, root) {
  const items = pages.map((each) => {
    const target = pathOf(each.file);
    const isHere = target === path || path.startsWith(`${target}/`);
    return `<li><a href="${root}${target}"${isHere ? ' aria-current="page"' : ''}>${escape(each.title)}</a></li>`;
  });
  return `<h2>${escape(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

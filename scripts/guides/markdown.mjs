/** Markdown to HTML, as a page of the guides shows it. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { pathOf, plainText, slugger } from './pages.mjs';

/** Paths of the service that are links where a text names them: `/docs`. */
const OF_THE_SERVICE = new Set(['/docs', '/guides', '/openapi.json', '/problems']);

/**
 * Returns `{html, headings, sections}` of a page. `known` has the files of all pages. `headings` are those of the second level, as
 * `{id, html}`; `sections` are the parts of the page for the search, as `{id, heading, text}`.
 */
export function renderMarkdown({ file, path, markdown }, known) {
  const root = rootOf(path);
  const slug = slugger();
  const headings = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = slug(plainText(tokens));
        const html = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${html}</h1>\n`;
        if (depth === 2) headings.push({ id, html });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const url = urlOf(href, file, root, known);
        return url === undefined ? html : `<a href="${escape(url)}">${html}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escape(text)}</code>`;
        return OF_THE_SERVICE.has(text) ? `<a href="${root}..${text}">${code}</a>` : code;
      },
      code({ text, lang }) {
        // The keyboard reaches what is wider than the page.
        return `<pre tabindex="0"${lang ? ` data-language="${escape(lang)}"` : ''}><code>${escape(text)}\n</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) =>
          `<tr>${row.map(({ tokens, align }) => `<${tag}${align === 'right' ? ' class="number"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const head = cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>');
        const body = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table>\n<thead>${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
      html({ text }) {
        throw new Error(`docs/${file} contains HTML, which the guides do not show: ${text.trim()}`);
      },
    },
  });
  return { html: marked.parse(markdown), headings, sections: sectionsOf(marked.lexer(markdown)) };
}

/** The way from a page up to /guides/: `../` for each folder. */
export function rootOf(path) {
  return '../'.repeat(path.split('/').length - 1) || './';
}

/**
 * The URL of a link, relative to the page. Undefined for a file outside of docs/, which the service does not have: only its name is shown.
 */
function urlOf(href, from, root, known) {
  if (/^(https?:|#)/.test(href)) return href;
  const [target, fragment] = href.split('#');
  const file = posix.join(posix.dirname(from), target);
  if (file.startsWith('../')) return undefined;
  const page = known.has(file) ? file : `${file.replace(/\/$/, '')}/README.md`;
  if (!known.has(page)) throw new Error(`docs/${from} links to ${href}, which does not exist.`);
  return `${root}${pathOf(page)}${fragment ? `#${fragment}` : ''}`;
}

/** Divides a page at its headings. Text before the first heading of the second level belongs to the page as a whole. */
function sectionsOf(tokens) {
  const slug = slugger();
  const sections = [{ id: '', heading: '', text: '', terms: '' }];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens);
      const id = slug(heading);
      if (token.depth > 1) sections.push({ id, heading, text: '', terms: '' });
    } else {
      sections.at(-1).text += `${blockText(token)}\n`;
      sections.at(-1).terms += termsOf(token);
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** What the items of a list explain: they begin with it, as code. */
function termsOf(token) {
  const items = token.type === 'list' ? token.items : [];
  return items
    .map(({ tokens }) => tokens[0]?.tokens?.[0])
    .map((first) => (first?.type === 'codespan' ? `${first.text} ` : ''))
    .join('');
}

function blockText(token) {
  switch (token.type) {
    case 'space':
    case 'hr':
      return '';
    case 'code':
      return token.text;
    case 'list':
      return token.items.map((item) => item.tokens.map(blockText).join(' ')).join('\n');
    case 'table':
      return [token.header, ...token.rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join('\n');
    case 'blockquote':
      return token.tokens.map(blockText).join('\n');
    default:
      return plainText(token.tokens ?? [token]);
  }
}

export function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The Markdown files of docs/, and the lists in which they stand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lexer } from 'marked';

/**
 * A page: `file` is its path below docs/, and `path` that below /guides. `README.md` of a folder is the page of the folder; that of docs/
 * has the path ''.
 */
export function readPages(root) {
  const docs = join(root, 'docs');
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const markdown = readFileSync(join(docs, file), 'utf8');
      return { file, path: pathOf(file), markdown, title: titleOf(markdown, file) };
    });
}

/** `reference/lists.md` is served at `reference/lists`, and `decisions/README.md` at `decisions`. */
export function pathOf(file) {
  return file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
}

function titleOf(markdown, file) {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (!title) throw new Error(`docs/${file} has no title: its first line must be a heading.`);
  return title.replaceAll('`', '');
}

/** The lists of a README: `[{title, pages: [{file, summary}]}]`, one for each heading. */
export function readContents({ file, markdown }) {
  const sections = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') sections.push({ title: token.text, pages: [] });
    if (token.type === 'list') for (const item of token.items) sections.at(-1)?.pages.push(...listed(item, file));
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

function listed(item, from) {
  const [, href, summary = ''] = /^\[[^\]]+\]\(([^)#]+\.md)\)(?:: (.+))?/s.exec(item.text) ?? [];
  return href ? [{ file: posix.join(posix.dirname(from), href), summary: summary.replace(/\s+/g, ' ') }] : [];
}

/** The `id` of headings, as GitHub makes them. Returns a function for one page, because equal headings get numbers. */
export function slugger() {
  const used = new Map();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** The `id` of each heading of a Markdown text. */
export function headingIds(markdown) {
  const slug = slugger();
  return lexer(markdown).flatMap((token) => (token.type === 'heading' ? [slug(plainText(token.tokens))] : []));
}

/** The text of inline tokens, without their marks. */
export function plainText(tokens = []) {
  return tokens
    .map((token) => (token.tokens ? plainText(token.tokens) : token.type === 'br' ? ' ' : decoded(token.text ?? '')))
    .join('');
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The lexer leaves character references as they were written. */
function decoded(text) {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);
}

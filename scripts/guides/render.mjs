/** All guides as the service reads them (`src/guides/guide-files.ts`). */
import { createHash } from 'node:crypto';
import { renderMarkdown } from './markdown.mjs';
import { readContents, readPages } from './pages.mjs';
import { searchIndex } from './search-index.mjs';
import { STYLE } from './style.mjs';
import { page, RESULTS } from './template.mjs';

/**
 * Returns `pages`, the texts of all files by their path below /guides/ (`(index)` is /guides itself), and `search`: the index, and the page
 * around the results.
 */
export function renderGuides(root) {
  const pages = readPages(root);
  const known = new Map(pages.map((each) => [each.file, each]));
  const style = `guides.${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`;
  const contents = readContents(known.get('README.md')).map((section) => ({
    ...section,
    pages: section.pages.map((each) => ({ ...each, title: known.get(each.file).title })),
  }));
  const files = { [style]: STYLE };
  const searched = [];
  for (const each of pages) {
    const { file, path, title, markdown } = each;
    const { html, headings, sections } = renderMarkdown(each, known);
    files[path] = page({ path, file, title, main: html, headings: path === '' ? [] : headings, contents, style });
    if (path === '')
      files['(index)'] = page({ path, file, title, main: below(html), contents, style, root: 'guides/' });
    else searched.push({ path, title, sections });
    files[file] = markdown;
  }
  const template = page({
    path: 'search',
    title: 'Search',
    main: `<h1>Search</h1>\n${RESULTS}\n`,
    contents,
    style,
  });
  return { pages: files, search: { template, ...searchIndex(searched) } };
}

/** Changes the links of the index for the address without a slash at its end. */
function below(html) {
  return html.replaceAll('href="./', 'href="guides/');
}

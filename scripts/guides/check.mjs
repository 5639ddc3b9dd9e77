/** What must be true of the Markdown files of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { headingIds, readContents, readPages } from './pages.mjs';
import { renderGuides } from './render.mjs';

/** Bytes of a file. A page that needs more has more than one purpose. */
const LONGEST = { 'README.md': 8_000, 'ARCHITECTURE.md': 12_000, 'CONTRIBUTING.md': 8_000 };
const LONGEST_PAGE = 12_000;
const PAGE = /^docs\//;

const IGNORED = /^(node_modules|dist|\.data|coverage|\.git)$/;

/** Returns a sentence for each fault. */
export function checkRepository(root) {
  const files = markdownFiles(root);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const tests = testFiles(root);
  const faults = [...texts].flatMap(([file, text]) => [
    ...tooLong(file, text),
    ...brokenLinks(root, file, texts),
    ...missingPaths(root, file, text),
    ...uselessPatterns(file, text, tests),
  ]);
  return [...faults, ...unlisted(root), ...unrendered(root)];
}

/** The paths of the Markdown files below a folder, relative to it. */
function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((each) => {
    if (each.isDirectory() && !IGNORED.test(each.name)) {
      return markdownFiles(join(folder, each.name)).map((file) => `${each.name}/${file}`);
    }
    return each.name.endsWith('.md') ? [each.name] : [];
  });
}

function tooLong(file, text) {
  const most = LONGEST[file] ?? (PAGE.test(file) ? LONGEST_PAGE : Infinity);
  const bytes = Buffer.byteLength(text);
  return bytes > most ? [`${file} has ${bytes} bytes, and may have ${most}: divide it by purpose.`] : [];
}

function brokenLinks(root, file, texts) {
  return linksOf(texts.get(file)).flatMap((href) => {
    if (/^[a-z]+:/.test(href)) return [];
    const [target, fragment] = href.split('#');
    const path = target ? resolve(root, dirname(file), target) : resolve(root, file);
    if (!existsSync(path)) return [`${file} links to ${href}, which does not exist.`];
    const text = texts.get(relative(root, path).split(sep).join('/'));
    if (fragment && !headingIds(text ?? '').includes(fragment))
      return [`${file} links to ${href}, which has no such heading.`];
    return [];
  });
}

/** A path in a text, such as `src/main.ts`, names something. The changelog tells of what was, and readers create extensions. */
function missingPaths(root, file, text) {
  if (file === 'CHANGELOG.md') return [];
  const paths = [...text.matchAll(/`((?:src|test|scripts|bench|docs)\/[\w./-]+)`/g)].map(([, path]) => path);
  return paths
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${file} names ${path}, which does not exist.`);
}

/** Jest runs the files whose path matches a pattern, and none if it is wrong. What a reader creates in `extensions` does not exist yet. */
function uselessPatterns(file, text, tests) {
  const commands = text.matchAll(/(?:npm (?:run )?test(?::one|:unit)? --|bin\/jest|npx jest) ([^#`\n]*)/g);
  return [...commands].flatMap(([, options]) =>
    patternsOf(options)
      .filter((pattern) => !pattern.startsWith('extensions/') && !tests.some((test) => new RegExp(pattern).test(test)))
      .map((pattern) => `${file} runs the tests ${pattern}, and there are none.`),
  );
}

/** `'/(a|b).e2e' -t x` has the patterns `/a.e2e` and `/b.e2e`. */
function patternsOf(options) {
  const words = options.replace(/ -\w+ (?:'[^']*'|\S+)/g, '').match(/'[^']*'|\S+/g) ?? [];
  return words
    .map((word) => word.replaceAll("'", ''))
    .filter((word) => !word.startsWith('-'))
    .flatMap((word) => {
      const [all, choices] = /\(([^)]*)\)/.exec(word) ?? [];
      return choices === undefined ? [word] : choices.split('|').map((choice) => word.replace(all, choice));
    });
}

function testFiles(root) {
  return ['src', 'test', 'extensions'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('spec.ts'))
      .map((name) => `/${folder}/${name.split(sep).join('/')}`),
  );
}

function linksOf(markdown) {
  const links = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return links;
}

/** Every page stands in one list: that of docs/README.md, or that of the README of its folder. */
function unlisted(root) {
  const pages = readPages(root);
  const listed = pages
    .filter(({ file }) => file.endsWith('README.md'))
    .flatMap((page) => readContents(page).flatMap((section) => section.pages.map(({ file }) => file)));
  return pages
    .filter(({ file }) => file !== 'README.md' && listed.filter((each) => each === file).length !== 1)
    .map(({ file }) => `docs/${file} must stand in one list: in docs/README.md, or in the README.md of its folder.`);
}

function unrendered(root) {
  try {
    renderGuides(root);
    return [];
  } catch (error) {
    return [error.message];
  }
}

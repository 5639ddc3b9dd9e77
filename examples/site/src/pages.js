import { Html, html } from './html.js';

/** @import { Article, Teaser } from './content.js' */
/** @import { MediaValue } from '../trivet-schema.ts' */

/** @type {(title: string, main: unknown) => Html} */
const page = (title, main) => html`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>${title} · The Quiet Magazine</title>
  <link rel="stylesheet" href="/style.css">
  <link rel="icon" href="data:,">
  <header>
    <a href="/">The Quiet Magazine</a>
    <form action="/search" role="search"><input type="search" name="q" aria-label="Search" placeholder="Search"></form>
    <a href="/letters">Write to us</a>
  </header>
  <main>${main}</main>
</html>`;

/** @type {(media: MediaValue | undefined, sizes: string) => unknown} */
const picture = (media, sizes) =>
  media &&
  html`<img src="${media.url}" alt="${media.alt}" width="${media.width}" height="${media.height}" loading="lazy"
    sizes="${sizes}" srcset="${[...(media.variants ?? []), media].map(({ url, width }) => `${url} ${width}w`).join(', ')}">`;

/** @param {Pick<Teaser, 'fields' | 'highlights'>} article */
const teaser = ({ fields, highlights }) => html`<li>
  <a href="/articles/${fields.slug}">${picture(fields.cover, '(min-width: 40rem) 20rem, 100vw')}<h2>${fields.title}</h2></a>
  <p>${highlights?.body ? new Html(highlights.body[0]) : fields.standfirst}</p>
  <small>${fields.desk?.fields.name} · ${fields.published_on}</small>`;

/** @type {(title: string, articles: Teaser[], number?: number, last?: number) => Html} */
export const listPage = (title, articles, number = 1, last = 1) =>
  page(
    title,
    html`<h1>${title}</h1>
    <ol>${articles.map(teaser)}</ol>
    <nav aria-label="Pages">
      ${number > 1 && html`<a rel="prev" href="/?page=${number - 1}">Newer</a>`}
      ${number < last && html`<a rel="next" href="/?page=${number + 1}">Older</a>`}
    </nav>`,
  );

/** @param {NonNullable<Article['fields']['extras']>[number]} extra */
function block(extra) {
  switch (extra.block) {
    case 'quote':
      return html`<blockquote>${extra.text}</blockquote>`;
    case 'picture':
      return html`<figure>${picture(extra.image, '40rem')}<figcaption>${extra.caption}</figcaption></figure>`;
    case 'related': {
      // An article that was deleted, or is a draft, is undefined.
      const { title, slug } = extra.article?.fields ?? {};
      return slug && html`<p>Read on: <a href="/articles/${slug}">${title}</a></p>`;
    }
  }
}

/** @type {(article: Article, console?: string) => Html} With the origin of the console, it is shown as a draft. */
export const articlePage = ({ fields }, console) =>
  page(
    fields.title,
    html`<article>
    <small>${fields.desk?.fields.name} · ${fields.published_on}</small>
    <h1 data-trivet-field="title">${fields.title}</h1>
    <p data-trivet-field="standfirst">${fields.standfirst}</p>
    ${picture(fields.cover, '(min-width: 42rem) 40rem, 100vw')}
    <div data-trivet-field="body">${new Html(fields.body)}</div>
    ${fields.extras?.map(block)}
    ${console && html`<footer role="status">This is a draft.</footer><script type="module" src="/live.js" data-console="${console}"></script>`}
  </article>`,
  );

/** @type {(values?: Record<string, string>, errors?: readonly { message: string }[]) => Html} */
export const letterPage = (values = {}, errors = []) =>
  page(
    'Write to us',
    html`<h1>Write to us</h1>
    ${errors.length > 0 && html`<ul role="alert">${errors.map(({ message }) => html`<li>${message}`)}</ul>`}
    <form method="post">
      <label>Your email address <input name="email" type="email" required value="${values.email}"></label>
      <label>Desk <select name="desk">${['coast', 'kitchen', 'road', 'sky', 'paper'].map((desk) => html`<option>${desk}`)}</select></label>
      <label>Letter <textarea name="letter" required maxlength="2000" rows="8">${values.letter}</textarea></label>
      <button>Send</button>
    </form>`,
  );

/** @type {(title: string, text?: string) => Html} */
export const messagePage = (title, text) =>
  page(title, html`<h1>${title}</h1><p>${text}</p><p><a href="/">All articles</a></p>`);

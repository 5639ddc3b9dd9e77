/**
 * Creates a small magazine through the public API of a running service, then reads it in every possible way: `npm run demo`.
 *
 * It finds a service on the same machine by itself (`find-service.mjs`). TRIVET_URL, TRIVET_TENANT (ten_demo) and TRIVET_KEY select another
 * service, tenant and key. The default key is that of the demo tenant, which the service stores in DATA_DIR (.data). Existing content is
 * reused, so the demo can run twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ARTICLES, DESKS, EXTRAS } from './demo-articles.mjs';
import { ISSUES, TYPES, wordsOf } from './demo-magazine.mjs';
import { drawPicture } from './demo-picture.mjs';
import { LANGUAGES, TOUR_FIELDS, TOURS } from './demo-tours.mjs';
import { findService } from './find-service.mjs';

const { base, tenant, key } = await findService().catch((error) => fail(error.message));

const types = `/v1/content/${tenant}/types`;
const forms = `/v1/forms/${tenant}`;
const webhooks = `/v1/webhooks/${tenant}`;
const media = `/v1/media/${tenant}`;

function fail(message) {
  console.error(message);
  process.exit(1);
}

function title(text) {
  console.log(`\n${text}\n${'-'.repeat(text.length)}`);
}

function say(text) {
  console.log(`  ${text}`);
}

/** Sends a request and returns its response; prints both. With `open`, sends no key. */
async function send(method, path, { body, open = false, quiet = false, headers = {} } = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(!open && { Authorization: `Bearer ${key}` }),
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body && (isForm ? body : JSON.stringify(body)),
  }).catch((error) => fail(`${base} does not answer any more (${error.cause?.code ?? error.message}).`));
  const text = await response.text();
  if (!quiet) say(`${method} ${decodeURIComponent(path)} → ${response.status}`);
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** Like `send`, but returns the body of a success. Otherwise ends the demo with the problem. */
async function call(method, path, options) {
  const { status, body } = await send(method, path, options);
  if (status >= 400) fail(`${method} ${path} answered ${status}: ${JSON.stringify(body, null, 2)}`);
  return body;
}

const get = (path, options) => call('GET', path, options);
const post = (path, body, options) => call('POST', path, { body, ...options });

/** Returns all records of a list, which it reads by cursor. */
async function walk(path) {
  const found = [];
  const separator = path.includes('?') ? '&' : '?';
  for (let cursor = ''; cursor !== null;) {
    const { data, meta } = await get(`${path}${separator}per_page=100&cursor=${cursor}`, { quiet: true });
    found.push(...data);
    cursor = meta.next_cursor;
  }
  return found;
}

/** Returns the content type with this slug; creates or updates it. */
async function ensureType(slug, name, fields) {
  const existing = (await walk(types)).find((type) => type.slug === slug);
  const { data } = existing
    ? await call('PUT', `${types}/${existing.id}`, { body: { name, fields } })
    : await post(types, { name, slug, fields });
  return { id: data.id, entries: `${types}/${data.id}/entries` };
}

/** Creates the entries that do not exist yet (identified by the field `slug`). Returns the IDs of all by slug. */
async function ensureEntries({ entries }, wanted) {
  const ids = new Map((await walk(entries)).map((entry) => [entry.fields.slug, entry.id]));
  const missing = wanted.filter(({ slug }) => !ids.has(slug));
  for (const fields of missing) {
    const { data } = await post(entries, { fields, status: 'published' }, { quiet: true });
    ids.set(fields.slug, data.id);
  }
  say(`${missing.length} created, ${wanted.length - missing.length} were there already`);
  return ids;
}

// ----- Content

title('Content types');
const madeTypes = [];
for (const { slug, name, fields } of TYPES) madeTypes.push(await ensureType(slug, name, fields));
const [desk, article, issue] = madeTypes;

title('Pictures');
const pictures = new Map((await walk(media)).map((file) => [file.filename, file]));
for (const { slug, name } of DESKS) {
  const filename = `magazine-${slug}.png`;
  if (pictures.has(filename)) continue;
  const form = new FormData();
  form.append('file', new Blob([drawPicture(slug)], { type: 'image/png' }), filename);
  form.append('alt', `A drawing for ${name}`);
  const { data } = await post(media, form);
  say(`  ${data.mime_type}, ${data.width} × ${data.height}, ${data.size} bytes: ${data.url}`);
  pictures.set(filename, data);
}
say(`${DESKS.length} pictures are there`);

title('Desks, articles and issues');
const desks = await ensureEntries(desk, DESKS);
const articles = await ensureEntries(
  article,
  ARTICLES.map((piece) => {
    const { url, alt } = pictures.get(`magazine-${piece.desk}.png`);
    return { ...piece, desk: desks.get(piece.desk), cover: { url, alt }, words: wordsOf(piece) };
  }),
);
const { meta: extended } = await post(`/v1/content/${tenant}/bulk`, {
  operations: EXTRAS.map(({ slug, quote, picture, related }) => ({
    op: 'upsert',
    content_type: 'magazine-article',
    key: { slug },
    fields: {
      extras: [
        { block: 'quote', text: quote },
        {
          block: 'picture',
          image: { id: pictures.get(`magazine-${picture}.png`).id },
          caption: 'Drawn for this issue.',
        },
        ...related.map((other) => ({ block: 'related', article: articles.get(other) })),
      ],
    },
  })),
});
say(`  blocks below the text of ${EXTRAS.length} articles: ${countsOf(extended)}`);
await ensureEntries(
  issue,
  ISSUES.map(({ articles: slugs, ...fields }) => ({ ...fields, articles: slugs.map((slug) => articles.get(slug)) })),
);

/** What became of the operations of a bulk, in words. */
function countsOf(meta) {
  return Object.entries(meta)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

/** A value, shortened. */
function quoted(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 50 ? `${text.slice(0, 49)}…` : text;
}

// ----- Reading

title('Lists');
const list = async (what, query) => {
  const { data, meta } = await get(`${article.entries}?${query}`);
  say(`  ${what}: ${meta.total} found`);
  for (const { fields } of data) say(`    ${fields.published_on}  ${fields.title} (${fields.words} words)`);
};
await list('the newest three', 'sort=-published_on&per_page=3');
await list('the longest three', 'sort=-words,title&per_page=3');
await list(
  'how-tos of the spring',
  'filter[kind]=how-to&filter[published_on][gte]=2025-03-01&filter[published_on][lt]=2025-06-01',
);
await list('of the kitchen desk, by title', `filter[desk]=${desks.get('kitchen')}&sort=title&per_page=3`);
await list('tagged bread or salt', 'filter[tags][in]=bread,salt&sort=published_on&per_page=3');
await list('titles with “how to”', 'filter[title][contains]=how%20to&sort=title');

title('Search');
await list('lighthouses, but not the fog', `search=${encodeURIComponent('lighthouse -fog')}&per_page=5`);
await list('a phrase', `search=${encodeURIComponent('"rule of twelfths"')}`);

title('Walking the whole list by cursor');
let pages = 0;
let seen = 0;
for (let cursor = ''; cursor !== null; pages++) {
  const { data, meta } = await get(`${article.entries}?cursor=${cursor}&per_page=10&sort=title`, { quiet: true });
  seen += data.length;
  cursor = meta.next_cursor;
}
say(`${seen} articles on ${pages} pages`);

title('Changing an entry that somebody else changed');
const path = `${article.entries}/${articles.get('two-tides-and-a-bit')}`;
const read = await send('GET', path);
const tag = read.headers.get('etag');
say(`  its ETag is ${tag}`);
const late = await send('GET', path, { headers: { 'If-None-Match': tag }, quiet: true });
say(`  the same again with If-None-Match: ${tag} → ${late.status}, nothing is sent twice`);
await call('PATCH', path, { body: { fields: { tags: ['tides', 'moon', 'sun'] } }, headers: { 'If-Match': tag } });
const stale = await send('PATCH', path, { body: { fields: { tags: [] } }, headers: { 'If-Match': tag } });
say(`  ${stale.body.code}: ${stale.body.detail}`);

title('A draft of a live entry, and its preview');
const draft = `${article.entries}/${articles.get(ARTICLES[0].slug)}/draft`;
const headline = `${ARTICLES[0].title} (revised)`.slice(0, 120);
await call('PATCH', draft, { body: { fields: { title: headline, standfirst: null } } });
const { data: pending } = await get(draft);
say(
  `  changed: ${pending.changed.join(', ')}; live: “${(await get(draft.replace(/\/draft$/, ''), { quiet: true })).data.fields.title}”`,
);
const { data: link } = await post(draft.replace(/draft$/, 'preview-links'), { expires_in: 600 });
const shown = await get(new URL(link.url).pathname, { open: true, quiet: true });
say(`GET ${link.url.slice(0, link.url.lastIndexOf('/') + 8)}… (no key)`);
say(`  “${shown.data.fields.title}”, until ${link.expires_at}`);
const { data: drafts } = await get(`/v1/content/${tenant}/drafts`);
say(`  ${drafts.length} of the tenant's entries have a draft`);
await post(`${draft}/publish`);

title('What was there before, and bringing it back');
const history = draft.replace(/draft$/, 'versions');
const { data: versions } = await get(`${history}?per_page=3`);
for (const { version, action, changed, by } of versions)
  say(`  ${version}: ${action} by ${by}; ${changed.join(', ') || 'nothing changed'}`);
const { data: differences } = await get(`${history}/${versions[0].version}/diff`);
for (const { field, before, after } of differences) say(`    ${field}: ${quoted(before)} → ${quoted(after)}`);
// The demo can run again, because the values are then as they were.
await post(`${history}/${versions[1].version}/restore`);

title('Published at a time');
const { data: announced } = await post(issue.entries, {
  fields: { title: 'The next issue', slug: `next-${Date.now()}` },
});
const schedule = `${issue.entries}/${announced.id}/schedule`;
const at = new Date(Date.now() + 1_000).toISOString();
const { data: planned } = await call('PUT', schedule, { body: { publish_at: at } });
say(`  at ${planned.publish_at}: ${planned.state}`);
const { data: next } = await get(`/v1/content/${tenant}/schedule?to=${at}`);
say(`  ${next.length} of the tenant's entries change until then`);
for (let tries = 0; tries < 40 && (await send('GET', schedule, { quiet: true })).status !== 404; tries++)
  await sleep(250);
const { data: published } = await get(`${issue.entries}/${announced.id}`, { quiet: true });
const { data: made } = await get(`${issue.entries}/${announced.id}/versions`, { quiet: true });
say(`  “${published.fields.title}” is ${published.status}, ${made[0].action} by ${made[0].by}`);
await call('DELETE', `${issue.entries}/${announced.id}`, { quiet: true });

title('Pages of blocks, written by one request');
const page = await ensureType('magazine-page', 'Page', [
  { name: 'slug', type: 'text', required: true, unique: true },
  { name: 'seo', type: 'group', fields: [{ name: 'title', type: 'text', max: 60 }] },
  {
    name: 'sections',
    type: 'blocks',
    blocks: [
      { name: 'text', fields: [{ name: 'body', type: 'rich_text', required: true }] },
      { name: 'teaser', fields: [{ name: 'article', type: 'reference', content_type: 'magazine-article' }] },
      { name: 'rule', fields: [] },
    ],
  },
]);
const teaser = (slug) => ({ block: 'teaser', article: articles.get(slug) });
const sections = [
  { block: 'text', body: '<p>Start here.</p>' },
  { block: 'rule' },
  ...ARTICLES.slice(0, 2).map(({ slug }) => teaser(slug)),
];
const { meta: result } = await post(`/v1/content/${tenant}/bulk`, {
  operations: [
    {
      op: 'upsert',
      content_type: 'magazine-page',
      key: { slug: 'start' },
      fields: { seo: { title: 'The magazine' }, sections },
      status: 'published',
    },
    {
      op: 'upsert',
      content_type: 'magazine-page',
      key: { slug: 'about' },
      fields: { seo: { title: 'About us' }, sections: [] },
      status: 'published',
    },
  ],
});
say(`  ${countsOf(result)}`);
const front = await get(
  `${page.entries}?filter[seo.title]=The%20magazine&include=sections.article,sections.article.desk`,
);
for (const section of front.data[0].fields.sections) {
  const { title: headline, desk: of } = front.included[section.article]?.fields ?? {};
  say(`    ${section.block}${headline ? `: “${headline}”, ${front.included[of].fields.name}` : ''}`);
}
await list('of a desk, found by its slug through the reference', 'filter[desk.slug]=kitchen&per_page=2&sort=title');

title('One entry in several languages');
const locales = `/v1/locales/${tenant}`;
const { data: spoken } = await get(locales);
// The tenant's own languages stay as they are.
const lacking = LANGUAGES.filter(({ code }) => !spoken.locales.some((one) => one.code === code));
if (lacking.length > 0) {
  await call('PUT', locales, { body: { default: spoken.default, locales: [...spoken.locales, ...lacking] } });
}
if (spoken.default === 'en') await tellTours();
else say(`  the default language is ${spoken.default}, and the tours are written in English first`);

async function tellTours() {
  const tour = await ensureType('magazine-tour', 'Tour', TOUR_FIELDS);
  const { data: written, meta } = await post(`/v1/content/${tenant}/bulk`, {
    operations: TOURS.map((fields) => ({
      op: 'upsert',
      content_type: 'magazine-tour',
      key: { slug: fields.slug },
      fields,
      locale: '*',
      status: 'published',
    })),
  });
  say(`  ${countsOf(meta)}`);
  const tours = async (what, query) => {
    const { data } = await get(`${tour.entries}?${query}`);
    say(`  ${what}: ${data.length} found`);
    for (const { fields, fallbacks = {} } of data) {
      const from = fallbacks.title ? ` (from ${fallbacks.title})` : '';
      say(`    ${fields.title ?? '(no title)'}${from}`);
    }
  };
  await tours('in Swiss German, else German, else English', 'locale=de-CH&sort=title');
  await tours('what a German reader sees, filtered', 'locale=de&filter[title][contains]=lamp');
  await tours('own German titles, filtered', 'locale=de&fallback=none&filter[title][contains]=lamp');
  await tours('what is translated into French', 'locale=fr&translated=fr');
  const german = await get(`${tour.entries}/by/slug/leuchtturm?locale=de`);
  say(`  “${german.data.fields.title}” for ${german.data.fields.price}`);

  title('One language is published, and the others stay drafts');
  const walk = `${tour.entries}/${written[0].entry_id}`;
  const titles = { en: 'On foot to the old lighthouse', de: 'Zu Fuß zum alten Leuchtturm' };
  await call('PATCH', `${walk}/draft?locale=*`, { body: { fields: { title: titles } } });
  await post(`${walk}/draft/publish?locale=de`);
  for (const code of ['en', 'de']) {
    const [live, left] = [await get(`${walk}?locale=${code}`), await get(`${walk}/draft?locale=${code}`)];
    say(`  ${code}: “${live.data.fields.title}” is live; left in the draft: ${left.data.changed.join() || 'nothing'}`);
  }
  await call('DELETE', `${walk}/draft`);
  await call('PUT', `${walk}/locales/fr`, { body: { live: false } });
  for (const { code, live, missing } of (await get(`${walk}/locales`)).data) {
    say(`    ${code}: ${live ? 'live' : 'not live'}${missing.length > 0 ? `, lacks ${missing.join(', ')}` : ''}`);
  }
  await call('PUT', `${walk}/locales/fr`, { body: { live: true } });
  for (const { code, live, missing, behind } of (await get(`${types}/${tour.id}/locales`)).data) {
    say(`    ${code}: ${live} live, ${missing} without a translation, ${behind} behind English`);
  }
}

title('A request that is sent twice happens once');
const once = { 'Idempotency-Key': `demo-${Date.now()}` };
const twice = [];
for (let times = 0; times < 2; times++) {
  twice.push(
    await send('POST', page.entries, { body: { fields: { slug: `once-${once['Idempotency-Key']}` } }, headers: once }),
  );
}
const [{ body: first }, repeated] = twice;
say(
  `  the same entry: ${first.data.id === repeated.body.data.id}; Idempotency-Replayed: ${repeated.headers.get('idempotency-replayed')}`,
);
await call('DELETE', `${page.entries}/${first.data.id}`, { quiet: true });

title('Values that do not fit are all named');
const wrong = await send('POST', article.entries, {
  body: { fields: { title: 'x'.repeat(200), slug: 'No Spaces', desk: 'ent_nobody', words: 0, colour: 'red' } },
});
for (const { path: where, message } of wrong.body.errors) say(`    ${where}: ${message}`);

// ----- Forms

title('A contact form');
let form = (await walk(forms)).find(({ slug }) => slug === 'magazine-letters');
form ??= (
  await post(forms, {
    name: 'Letters to the magazine',
    slug: 'magazine-letters',
    fields: [
      { name: 'email', type: 'email', required: true, label: 'Your email address' },
      { name: 'desk', type: 'select', options: DESKS.map(({ slug }) => slug), required: true },
      { name: 'letter', type: 'textarea', required: true, max: 2000 },
      { name: 'may_print', type: 'checkbox', label: 'You may print this' },
    ],
    notify_email: 'letters@magazine.example',
  })
).data;
const submissions = `${forms}/magazine-letters/submissions`;
const letters = [
  {
    email: 'reader@shore.example',
    desk: 'coast',
    letter: 'Our light is Fl(2) 10s. I checked from the kitchen.',
    may_print: 'true',
  },
  { email: 'reader@oven.example', desk: 'kitchen', letter: 'It sounded like a door that nobody answers. Thank you.' },
  { email: 'not an address', desk: 'moon', letter: '' },
];
for (const fields of letters) {
  const { status, headers, body } = await send('POST', submissions, { body: { fields }, open: true });
  if (status === 422) for (const { path: where, message } of body.errors) say(`    ${where}: ${message}`);
  if (status === 429) say(`    ten a minute from one address; the next may come in ${headers.get('retry-after')} s`);
}
const received = await get(`${forms}/${form.id}/submissions?per_page=2`);
for (const { created_at, fields } of received.data) say(`    ${created_at}  ${fields.desk}: ${fields.letter}`);
const counted = (await get(forms)).data.find(({ id }) => id === form.id);
say(`  ${counted.name}: ${counted.submission_count} submissions`);

// ----- Webhooks and events

title('A webhook');
// No host has this name, so the deliveries fail.
const url = 'https://hooks.magazine.example/trivet';
let webhook = (await get(webhooks)).data.find((one) => one.url === url);
webhook ??= (await post(webhooks, { url, events: ['entry.published', 'form.submitted'], secret: 'demo-secret' })).data;
await call('PATCH', `${webhooks}/${webhook.id}`, { body: { active: true } });
const sent = (await post(`${webhooks}/${webhook.id}/test`)).data;
let delivery = sent;
for (let tries = 0; tries < 50 && delivery.attempts.length === 0; tries++) {
  await sleep(100);
  const { data } = await get(`${webhooks}/${webhook.id}/deliveries?per_page=100`, { quiet: true });
  delivery = data.find(({ id }) => id === sent.id) ?? delivery;
}
say(`GET ${webhooks}/${webhook.id}/deliveries`);
say(`  ${delivery.event_type} is ${delivery.status}: ${delivery.attempts[0]?.error ?? 'no attempt yet'}`);
say(`  the next attempt would be at ${delivery.next_attempt_at}`);
await call('PATCH', `${webhooks}/${webhook.id}`, { body: { active: false } });
say('  inactive again, so that nothing is sent to a receiver that is not there');

title('The change feed');
const counts = {};
for (let cursor = ''; ;) {
  const { data, meta } = await get(`/v1/events/${tenant}?per_page=100&cursor=${cursor}`, { quiet: true });
  for (const { type } of data) counts[type] = (counts[type] ?? 0) + 1;
  cursor = meta.next_cursor;
  if (data.length < 100) break;
}
for (const [type, count] of Object.entries(counts).sort()) say(`${String(count).padStart(5)}  ${type}`);

console.log(
  `\nDone. Look around at ${base}/docs: the tenant is ${tenant}, and the content type of the articles ${article.id}.`,
);

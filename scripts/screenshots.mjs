/**
 * Takes the pictures of the README from a running service with the demo in it: `npm start`, `npm run demo`, and then
 * `node scripts/screenshots.mjs`. It finds the service as the demo does, and needs a Chromium (CHROMIUM, or that of Debian's package).
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findService } from './find-service.mjs';

const OUT = join(import.meta.dirname, '../docs/pictures');
const VIEW = { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' };

const { base, tenant, key } = await findService();
// The cookie of a session belongs to the host of the console.
const { origin } = new URL((await fetch(`${base}/console`)).url);
const types = `/v1/content/${tenant}/types`;
const [first, second] = (await api('GET', `${types}/magazine-article/entries?per_page=2`)).data ?? [];
if (!first || !second) throw new Error('There are no articles. Run `npm run demo` first.');
await prepare();

const PICTURES = [
  ['console-overview', '', 'Numbers'],
  ['console-entry', `/content/magazine-article/${first.id}`, 'Saved'],
  ['console-palette', '/content/magazine-article', 'Published', 'tide'],
];

await mkdir(OUT, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  chromiumSandbox: false,
});
try {
  const page = await (await browser.newContext(VIEW)).newPage();
  const answer = await page.request.post(`${origin}/v1/sessions`, { data: { key }, headers: { Origin: origin } });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`);
  for (const picture of PICTURES) await take(page, picture);
} finally {
  await browser.close();
}

/** `shown` is the last thing to come. */
async function take(page, [name, path, shown, search]) {
  await page.goto(`${origin}/console/${tenant}${path}`);
  await page.getByText(shown, { exact: true }).first().waitFor();
  if (search) {
    await page.getByRole('button', { name: 'Go to', exact: true }).click();
    await page.getByRole('combobox', { name: 'Find' }).fill(search);
    await page.getByRole('group', { name: 'Entries' }).waitFor();
  }
  await page.screenshot({ path: join(OUT, `${name}.png`), animations: 'disabled' });
  console.log(`docs/pictures/${name}.png`);
}

/** Something that waits for review, a draft, and a schedule. */
async function prepare() {
  const draft = `${types}/magazine-article/entries/${first.id}/draft`;
  await api('PATCH', draft, { fields: { body: first.fields.body.replaceAll('</p>\n', '</p>') } });
  await api('PUT', `${draft}/review`, { note: 'The second paragraph is new. Please read it once more.' });
  const at = { publish_at: `${new Date().getUTCFullYear() + 1}-01-04T09:00:00Z` };
  await api('PUT', `${types}/magazine-article/entries/${second.id}/schedule`, at);
}

async function api(method, path, body) {
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

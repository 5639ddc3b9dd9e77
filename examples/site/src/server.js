import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { TrivetError } from '@trivet/client';
import { bySlug, draftOf, found, newest, trivet } from './content.js';
import { articlePage, letterPage, listPage, messagePage } from './pages.js';

/** @import { IncomingMessage } from 'node:http' */
/** @typedef {{ status?: number, type?: string, body?: unknown, location?: string }} Answer */

const { PORT = '0', HOST = 'localhost', TRIVET_CONSOLE = 'http://localhost:3000', WEBHOOK_SECRET = '' } = process.env;
const FILES = new Map([
  ['/style.css', { type: 'text/css', file: new URL('../public/style.css', import.meta.url) }],
  ['/live.js', { type: 'text/javascript', file: new URL('../public/live.js', import.meta.url) }],
  ['/preview.js', { type: 'text/javascript', file: new URL(import.meta.resolve('@trivet/client/preview')) }],
]);
const LONGEST_BODY = 100_000;
const MOST_PAGES = 1_000;

/** Pages by their address, until an entry changes. @type {Map<string, Promise<Answer>>} */
const cache = new Map();

/** @type {(address: string, make: () => Promise<Answer>) => Promise<Answer>} */
function cached(address, make) {
  const answer = cache.get(address) ?? make();
  // Visitors choose the addresses.
  if (cache.size >= MOST_PAGES) cache.clear();
  cache.set(address, answer);
  answer.catch(() => cache.delete(address));
  return answer;
}

/** @type {(request: IncomingMessage) => Promise<Answer>} */
async function receiveEvent(request) {
  const event = await trivet.webhooks.verify({ headers: request.headers, body: await bodyOf(request) }, WEBHOOK_SECRET);
  if (event.type.startsWith('entry.')) cache.clear();
  return { status: 204 };
}

/** @type {(request: IncomingMessage) => Promise<Answer>} */
async function receiveLetter(request) {
  const sent = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
  const values = { email: sent.email ?? '', desk: /** @type {'coast'} */ (sent.desk), letter: sent.letter ?? '' };
  try {
    // Visitors are limited one by one, by their address, and not all together by that of this server.
    await trivet.forms.submit('magazine-letters', values, { clientAddress: request.socket.remoteAddress });
    return { status: 303, location: '/thanks' };
  } catch (error) {
    if (!(error instanceof TrivetError) || ![422, 429].includes(error.status)) throw error;
    return { status: error.status, body: letterPage(values, error.errors.length > 0 ? error.errors : [error]) };
  }
}

/** @type {(request: IncomingMessage, url: URL) => Promise<Answer>} */
async function answerTo(request, { pathname, searchParams }) {
  if (request.method === 'POST' && pathname === '/webhook') return receiveEvent(request);
  if (request.method === 'POST' && pathname === '/letters') return receiveLetter(request);
  const file = FILES.get(pathname);
  if (file) return { type: file.type, body: await readFile(fileURLToPath(file.file)) };
  const [, slug] = /^\/articles\/([a-z0-9-]+)$/.exec(pathname) ?? [];
  const token = searchParams.get('preview');
  if (slug && token) return { body: articlePage(await draftOf(token), TRIVET_CONSOLE) };
  if (slug) return cached(pathname, async () => ({ body: articlePage(await bySlug(slug)) }));
  if (pathname === '/') return firstPage(Math.min(Math.max(1, Number(searchParams.get('page')) || 1), MOST_PAGES));
  const words = searchParams.get('q') ?? '';
  if (pathname === '/search') return { body: listPage(`Search: ${words}`, words ? (await found(words)).data : []) };
  if (pathname === '/letters') return { body: letterPage() };
  if (pathname === '/thanks') return { body: messagePage('Thank you', 'We read every letter.') };
  return { status: 404, body: messagePage('There is no such page') };
}

/** @param {number} number */
const firstPage = (number) =>
  cached(`/?page=${number}`, async () => {
    const { data, meta } = await newest(number);
    return { body: listPage('The newest', data, number, Math.ceil((meta.total ?? 0) / 9)) };
  });

/** @type {(error: unknown) => Answer} */
function refusalOf(error) {
  const { status, code } = error instanceof TrivetError ? error : { status: 500, code: '' };
  if (code === 'invalid_signature') return { status: 401, body: messagePage('The signature is wrong') };
  if (status === 404) return { status, body: messagePage('There is no such page') };
  console.error(error);
  return { status: 502, body: messagePage('The magazine cannot be read just now', 'Please try again in a minute.') };
}

/** @param {IncomingMessage} request */
async function bodyOf(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LONGEST_BODY) request.destroy();
  }
  return body;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  answerTo(request, url)
    .catch(refusalOf)
    .then(({ status = 200, type = 'text/html; charset=utf-8', body = '', location }) => {
      response.writeHead(status, {
        'Content-Type': type,
        'Content-Security-Policy': `default-src 'self'; img-src * data:; frame-ancestors ${TRIVET_CONSOLE}`,
        ...(location && { Location: location }),
      });
      response.end(body instanceof Buffer ? body : String(body));
    });
});
await new Promise((resolve) => server.listen(Number(PORT), HOST, () => resolve(undefined)));
export const address = `http://${HOST}:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
console.log(`The magazine is at ${address}`);

/**
 * Runs the built client as an edge runtime does, where only the interfaces of the web are there: `node --experimental-vm-modules edge-runtime.mjs URL
 * TENANT KEY`. Prints what it read as JSON. A module that imports anything but its neighbours cannot be linked.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const DIST = resolve(import.meta.dirname, '../../client/dist');
/** What the Minimum Common Web API has, of what a client could use. */
const GLOBALS = [
  ...['AbortController', 'AbortSignal', 'Blob', 'File', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response'],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'crypto', 'fetch', 'queueMicrotask'],
  ...['setTimeout', 'clearTimeout', 'structuredClone', 'Uint8Array', 'ArrayBuffer'],
];
const PROGRAM = `
  import { createClient, TrivetError } from './index.js';
  import { livePreview } from './preview.js';

  export async function main(url, tenant, key) {
    const trivet = createClient({ url, tenant, key });
    const post = await trivet.entries('post').create({ title: 'Edge' }, { status: 'published' });
    const titles = [];
    for await (const { fields } of trivet.entries('post').all()) titles.push(fields.title);
    const failure = await trivet.entries('post').get('ent_none').catch((error) => error);
    const { email } = (await trivet.forms.submit('contact', { email: 'ada@example.com' })).fields;
    const { data: types } = await trivet.request('listContentTypes');
    const forged = await trivet.webhooks
      .verify(new Request(url, { method: 'POST', body: '{}' }), 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz')
      .catch(({ code }) => code);
    livePreview({ origin: url, onChange() {} })();
    await trivet.entries('post').delete(post.id, { ifMatch: post.etag });
    return { titles, status: failure instanceof TrivetError && failure.status, email, types: types.length, forged };
  }
`;

const context = createContext(Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]])));
const modules = new Map();

function load(file) {
  const known = modules.get(file);
  if (known) return known;
  const made = readFile(file, 'utf8').then((text) => moduleOf(text, file));
  modules.set(file, made);
  return made;
}

function moduleOf(text, file) {
  return new SourceTextModule(text, {
    context,
    identifier: file,
    importModuleDynamically: async (specifier) => evaluated(await link(specifier, { identifier: file })),
  });
}

function link(specifier, { identifier }) {
  const file = join(dirname(identifier), specifier);
  if (!specifier.startsWith('.') || relative(DIST, file).startsWith('..')) {
    throw new Error(`${identifier} imports ${specifier}, which an edge runtime does not have.`);
  }
  return load(file);
}

async function evaluated(module) {
  if (module.status === 'unlinked') await module.link(link);
  await module.evaluate();
  return module;
}

const { namespace } = await evaluated(moduleOf(PROGRAM, join(DIST, 'program.js')));
console.log(JSON.stringify(await namespace.main(...process.argv.slice(2))));

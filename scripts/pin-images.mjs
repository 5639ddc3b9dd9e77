/**
 * Pins the base images of Dockerfile and compose.yaml: gets the digest of each tag from the registry and writes it behind the tag
 * (`node:22-slim@sha256:…`). Run it again to follow a tag.
 *
 *   node scripts/pin-images.mjs                           uses Docker Hub
 *   node scripts/pin-images.mjs --registry URL            uses a mirror
 *   node scripts/pin-images.mjs --check                   writes nothing; fails if an image has no digest
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const FILES = ['Dockerfile', 'compose.yaml'];
/** An image with a tag, and with a digest if it is pinned. */
const IMAGE = /^(FROM |\s+image: )([a-z0-9./_-]+):([\w.-]+)(@sha256:[0-9a-f]{64})?/gm;
/** The digest of an index is valid for all platforms. */
const INDEX = 'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json';
const TIMEOUT_MS = 30_000;

const { values: options } = parseArgs({
  options: { registry: { type: 'string', default: 'https://registry-1.docker.io' }, check: { type: 'boolean' } },
});

const texts = new Map(await Promise.all(FILES.map(async (file) => [file, await readFile(file, 'utf8')])));
const images = [...texts].flatMap(([file, text]) => [...text.matchAll(IMAGE)].map((match) => ({ file, match })));
if (options.check) check();
else await pin();

function check() {
  const unpinned = images.filter(({ match }) => match[4] === undefined);
  for (const { file, match } of unpinned) console.error(`${file}: ${match[2]}:${match[3]} has no digest.`);
  if (unpinned.length > 0) process.exitCode = 1;
}

/** Gets all digests before it writes anything. */
async function pin() {
  const digests = new Map();
  for (const { match } of images) digests.set(`${match[2]}:${match[3]}`, await digestOf(match[2], match[3]));
  for (const [file, text] of texts) {
    const pinned = text.replace(IMAGE, (_whole, before, name, tag) => {
      const image = `${name}:${tag}`;
      return `${before}${image}@${digests.get(image)}`;
    });
    await writeFile(file, pinned);
  }
  for (const [image, digest] of digests) console.log(`${image}@${digest}`);
}

/** The digest of the index that the tag refers to, computed from the registry's content. */
async function digestOf(name, tag) {
  const repository = name.includes('/') ? name : `library/${name}`;
  const url = new URL(`/v2/${repository}/manifests/${tag}`, options.registry);
  let answer = await get(url);
  if (answer.status === 401) {
    answer = await get(url, await token(answer.headers.get('www-authenticate') ?? '', repository));
  }
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  const digest = `sha256:${createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')}`;
  const named = answer.headers.get('docker-content-digest');
  if (named !== null && named !== digest) throw new Error(`${url} sent ${digest}, but names ${named}.`);
  return digest;
}

function get(url, bearer) {
  const headers = { Accept: INDEX, ...(bearer && { Authorization: `Bearer ${bearer}` }) };
  return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** An anonymous token, from the server named in the registry's challenge. */
async function token(challenge, repository) {
  const parameter = (name) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? '';
  const url = new URL(parameter('realm'));
  url.searchParams.set('service', parameter('service'));
  url.searchParams.set('scope', `repository:${repository}:pull`);
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${url.origin} gave no token: ${answer.status}.`);
  return (await answer.json()).token;
}

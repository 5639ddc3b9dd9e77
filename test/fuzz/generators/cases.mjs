/**
 * Cases: valid, nearly valid and hostile requests as plain data. A case is {operation, flavour, method, path, query, headers, body, key,
 * expect}. Text in double braces is a placeholder, which is resolved when the case is sent. `expect` is 'success', a list of statuses, or
 * undefined if any documented response is right.
 */
import fc from 'fast-check';
import { BROKEN_MULTIPART, MADE_BODIES } from './bodies.mjs';
import { GOOD_FILES, HOSTILE_FILES } from './files.mjs';
import { oddHeaders } from './headers.mjs';
import { mutatedIds, mutatedPath, pathOf, validIds } from './ids.mjs';
import { hostileText, hostileValue, toJsonText } from './json.mjs';
import { knownValues, nearlyKnownValues, schemaBound, validUpload } from './knowledge.mjs';
import { mutated } from './mutations.mjs';
import { sessionHeaders, WITHOUT_SUCCESS } from '../people.mjs';
import { mutatedQuery, validHeaders, validQuery } from './parameters.mjs';
import { valuesOf } from './schema-values.mjs';

const JSON_TYPE = 'application/json';

/** The valid requests of an operation. */
export function validCasesOf(document, operation) {
  return draft(document, operation).map((one) => finish({ ...one, flavour: 'valid', expect: 'success' }));
}

/** All cases of an operation. */
export function casesOf(document, operation) {
  const valid = validCasesOf(document, operation);
  const near = draft(document, operation).chain((one) => nearlyValid(document, operation, one).map(finish));
  const hostile = draft(document, operation).chain((one) => hostileOf(operation, one).map(finish));
  const all = fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 6, arbitrary: near },
    { weight: 5, arbitrary: hostile },
  );
  return WITHOUT_SUCCESS.includes(operation.id) ? all.map(withoutSuccess) : all;
}

function withoutSuccess({ expect, ...one }) {
  return { ...one, ...(expect !== 'success' && { expect }) };
}

/** A valid request whose parts are not serialized yet: {ids, query, headers, json or multipart}. */
function draft(document, operation) {
  return schemaBound(document, operation).chain(({ ids = {}, known = {}, listed, query, text, multipart, headers }) => {
    const withIds = validIds(operation).map(([name, value]) => [name, ids[name] ?? value]);
    return fc
      .record({
        query: query ?? validQuery(document, operation, listed),
        headers: headers ? fc.constant(headers) : validHeaders(operation),
        ...(text ? { body: fc.constant(text) } : multipart ? { multipart } : bodyOf(document, operation, known)),
      })
      .map((parts) => ({
        operation: operation.id,
        method: operation.method,
        template: operation,
        ids: withIds,
        key: operation.hasKey ? 'all' : 'none',
        ...parts,
        headers: [...(operation.inSession ? sessionHeaders(cookieFor(operation)) : []), ...parts.headers],
      }));
  });
}

/** Changes are made by somebody who is there for them only. */
function cookieFor({ method, path }) {
  return method === 'GET' && path !== '/v1/me/sessions' ? '{{session}}' : '{{new.account.cookie}}';
}

function bodyOf(document, operation, known) {
  if (!operation.body) return {};
  if (operation.body.type.startsWith('multipart/')) return { multipart: validUpload };
  return { json: valuesOf(document, operation.body.schema, { ...knownValues(document, operation), ...known }) };
}

/** Serializes a draft to a case. */
function finish({ template, ids, json, multipart, body, path, ...rest }) {
  return {
    ...rest,
    path: path ?? pathOf(template, ids),
    body:
      body ??
      (json !== undefined ? { text: toJsonText(json), type: JSON_TYPE } : multipart ? { multipart } : undefined),
  };
}

/** Changes one part of a valid request. */
function nearlyValid(document, operation, one) {
  const near = { ...one, flavour: 'near' };
  const changes = [
    { weight: 2, arbitrary: mutatedIds(one.ids).map(({ ids, expect }) => ({ ...near, ids, expect })) },
    {
      weight: operation.inQuery.length > 0 ? 4 : 1,
      arbitrary: mutatedQuery(operation, one.query).map((query) => ({ ...near, query })),
    },
    { weight: 2, arbitrary: oddHeaders.map((headers) => ({ ...near, headers: [...one.headers, ...headers] })) },
    { weight: 1, arbitrary: otherCaller(operation, one).map((change) => ({ ...near, ...change })) },
  ];
  if (one.json)
    changes.push({ weight: 8, arbitrary: mutated(one.json).map((json) => ({ ...near, json: json ?? {} })) });
  if (one.multipart)
    changes.push({ weight: 6, arbitrary: mutatedParts(one.multipart).map((multipart) => ({ ...near, multipart })) });
  if (one.body) changes.push({ weight: 8, arbitrary: brokenText(one.body).map((change) => ({ ...near, ...change })) });
  const nearly = nearlyKnownValues(operation);
  if (one.json && nearly)
    changes.push({
      weight: 2,
      arbitrary: fc.record(nearly).map((values) => ({ ...near, json: { ...one.json, ...values } })),
    });
  return fc.oneof(...changes);
}

/** Callers without permission, with the only right statuses for them. */
function otherCaller({ hasKey, inSession, method, id }, { ids, headers }) {
  if (inSession) return withoutSession(headers);
  if (!hasKey)
    return fc.constantFrom(
      { key: 'all' },
      { key: 'other' },
      { headers: [...headers, ['Authorization', 'Bearer nonsense']] },
    );
  const elsewhere = ids.map(([name, value]) => [name, name === 'tenant_id' ? '{{other.tenant}}' : value]);
  const nowhere = ids.map(([name, value]) => [name, name === 'tenant_id' ? 'ten_nobody' : value]);
  const isRead = method === 'GET';
  const published = [
    'listContentTypes',
    'getContentType',
    'getContentTypeSchema',
    'listEntries',
    'getEntry',
    'getEntryByValue',
    'exportEntries',
    'searchContent',
    'listReferrers',
  ].includes(id);
  return fc.constantFrom(
    { key: 'none', expect: [401] },
    { key: 'unknown', expect: [401] },
    { key: 'other', expect: [403] },
    { ids: elsewhere, expect: [403] },
    { ids: nowhere, expect: [403] },
    { key: isRead ? 'write' : 'read', expect: [403] },
    { key: 'published', ...(!published && { expect: [403] }) },
    { key: 'none', headers: [...headers, ...sessionHeaders('{{session}}')] },
    { key: 'limited', ids: ids.map(([name, value]) => [name, name === 'tenant_id' ? '{{limited.tenant}}' : value]) },
  );
}

/** Headers without those of the console, or with wrong ones. */
function withoutSession(headers) {
  const without = (...names) => headers.filter(([name]) => !names.includes(name));
  return fc.constantFrom(
    { headers: without('Cookie'), expect: [401] },
    { headers: without('X-Trivet-Console'), expect: [401] },
    { headers: [...without('X-Trivet-Console'), ['X-Trivet-Console', 'true']], expect: [401] },
    { headers: [...without('Origin'), ['Origin', 'https://evil.example']], expect: [403] },
    { headers: [...without('Origin'), ['Origin', 'null']], expect: [403] },
    { headers: [...without('Origin'), ['Sec-Fetch-Site', 'same-site']], expect: [403] },
    { headers: [...without('Cookie'), ['Cookie', `trivet=tvs_${'a'.repeat(49)}`]], expect: [401] },
    { headers: [...without('Cookie'), ['Cookie', 'trivet=; trivet=__proto__']], expect: [401] },
    { headers: [...headers, ['Authorization', '{{bearer}}']], expect: [401] },
    { headers: without('Cookie', 'X-Trivet-Console', 'Origin'), key: 'all', expect: [401] },
  );
}

/** Changes the body, the path or the method without regard to validity. */
function hostileOf(operation, one) {
  const hostile = { ...one, flavour: 'hostile' };
  const methods = [
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PUT',
    'PATCH',
    'POST',
    'DELETE',
    'GET',
    'PROPFIND',
    'QUERY',
    'LOCK',
    'M-SEARCH',
  ];
  const path = pathOf(operation, one.ids);
  return fc.oneof(
    {
      weight: operation.body ? 10 : 2,
      arbitrary: hostileBody(operation, one).map((change) => ({ ...hostile, ...change })),
    },
    { weight: 2, arbitrary: mutatedPath(path).map((changed) => ({ ...hostile, path: changed })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...methods)
        .map((method) => ({ ...hostile, method, ids: validIds({ ...operation, method }) })),
    },
    { weight: 2, arbitrary: severalChanges(operation, hostile) },
  );
}

function hostileBody(operation, one) {
  const types = fc.constantFrom(
    operation.body?.type ?? JSON_TYPE,
    JSON_TYPE,
    'text/plain',
    'application/xml',
    undefined,
  );
  const encodings = fc.constantFrom('gzip', 'deflate', 'br');
  const bodies = fc.oneof(
    { weight: 3, arbitrary: hostileValue.map((value) => ({ text: toJsonText(value), type: JSON_TYPE })) },
    { weight: 3, arbitrary: fc.constantFrom(...MADE_BODIES).map(madeBody) },
    { weight: 1, arbitrary: fc.tuple(hostileText, types).map(([text, type]) => ({ text, type })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.uint8Array({ maxLength: 60 }), types)
        .map(([bytes, type]) => ({ base64: Buffer.from(bytes).toString('base64'), type })),
    },
  );
  const isUpload = one.multipart !== undefined || operation.body?.type.startsWith('multipart/');
  return fc.oneof(
    { weight: isUpload ? 2 : 4, arbitrary: bodies.map((body) => ({ body })) },
    ...(one.json
      ? [
          {
            weight: 1,
            arbitrary: encodings.map((encoding) => ({
              body: { text: toJsonText(one.json), type: JSON_TYPE, encoding },
              expect: 'success',
            })),
          },
          {
            weight: 1,
            arbitrary: fc.constant({
              body: { text: toJsonText(one.json), type: JSON_TYPE, chunked: true },
              expect: 'success',
            }),
          },
          { weight: 1, arbitrary: types.map((type) => ({ body: { text: toJsonText(one.json), type } })) },
          { weight: 1, arbitrary: brokenText({ text: toJsonText(one.json), type: JSON_TYPE }) },
        ]
      : []),
    ...(isUpload ? [{ weight: 3, arbitrary: fc.constantFrom(...BROKEN_MULTIPART).map((body) => ({ body })) }] : []),
  );
}

function madeBody(made) {
  const claims = /^(gzip|br|deflate)/.exec(made)?.[0];
  return { made, type: JSON_TYPE, ...(claims && { claims }) };
}

/** A text that is truncated, repeated, or followed by other text. */
function brokenText({ text, type }) {
  return fc
    .constantFrom(
      text.slice(0, -1),
      text.slice(0, text.length >> 1),
      `${text}x`,
      `${text}${text}`,
      `[${text}]`,
      `\ufeff${text}`,
      ` \n${text}`,
      `${text},`,
      `)]}'\n${text}`,
    )
    .map((broken) => ({ body: { text: broken, type } }));
}

function severalChanges(operation, one) {
  return fc
    .tuple(mutatedIds(one.ids), mutatedQuery(operation, one.query), oddHeaders, oddHeaders)
    .map(([{ ids }, query, first, second]) => ({ ...one, ids, query, headers: [...first, ...second] }));
}

/** Parts of an upload that are missing, repeated or renamed, or have other contents. */
function mutatedParts(parts) {
  const files = fc.constantFrom(...Object.keys(HOSTILE_FILES), ...Object.keys(GOOD_FILES));
  const changed = (change) =>
    fc.nat(parts.length - 1).map((index) => parts.map((part, at) => (at === index ? change(part) : part)));
  return fc.oneof(
    { weight: 6, arbitrary: files.map((file) => parts.map((part) => (part.file ? { ...part, file } : part))) },
    { weight: 1, arbitrary: fc.nat(parts.length - 1).map((index) => parts.filter((_, at) => at !== index)) },
    { weight: 1, arbitrary: fc.constant([...parts, ...parts]) },
    { weight: 1, arbitrary: hostileText.chain((text) => changed((part) => ({ ...part, name: text.slice(0, 2_000) }))) },
    {
      weight: 2,
      arbitrary: hostileText.chain((text) => changed((part) => ({ ...part, filename: text.slice(0, 3_000) }))),
    },
    {
      weight: 2,
      arbitrary: hostileText.map((text) => [...parts.filter(({ name }) => name !== 'alt'), { name: 'alt', text }]),
    },
    {
      weight: 1,
      arbitrary: fc.constant([
        ...Array.from({ length: 25 }, (_, index) => ({ name: `p${index}`, text: '' })),
        ...parts,
      ]),
    },
    { weight: 1, arbitrary: fc.constant(parts.map((part) => ({ ...part, type: 'image/png' }))) },
  );
}

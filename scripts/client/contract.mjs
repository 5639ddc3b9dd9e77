/** What the client is generated from: the part of openapi.json that decides its types. */
import { createHash } from 'node:crypto';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Keys whose values explain and do not describe types. */
const EXPLANATIONS = new Set(['example', 'examples', 'x-codeSamples']);
/** The names of properties stand below these, so none of them is an explanation. */
const NAMES = new Set(['properties', 'schemas']);
/** The client sends these headers itself. */
const SENT = new Set(['Idempotency-Key', 'Authorization']);

/** Returns every operation of the document with its method and path. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
}

/** Returns the document without examples, refusals, and what no operation and no event uses. Refusals are of one class in the client. */
export function relevantPart({ openapi, info, paths, webhooks, components }) {
  const operations = { paths: {} };
  for (const { path, method, operation } of operationsOf({ paths })) {
    (operations.paths[path] ??= {})[method] = withoutExplanations(operationOf(operation));
  }
  const events = Object.values(eventsOf({ webhooks })).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    openapi,
    info: { title: info.title, version: info.version },
    ...operations,
    components: { schemas: schemasOf([operations, events], components.schemas) },
  };
}

/** Returns the names of the schemas of events, by the types of events. */
export function eventsOf({ webhooks = {} }) {
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => {
      const { $ref } = post.requestBody.content['application/json'].schema;
      return [type, $ref.split('/').at(-1)];
    }),
  );
}

/** Changes with the document's relevant part, and only with it. */
export function fingerprint(document) {
  const relevant = JSON.stringify([relevantPart(document), eventsOf(document)]);
  return createHash('sha256').update(relevant).digest('hex').slice(0, 32);
}

/** Whether the client reads the answers as JSON. It hands over others as they are: files, streams and redirects. */
export function isJson({ responses }) {
  return Object.values(jsonResponses(responses)).length > 0;
}

/** What the client hands over without reading it: a file or a stream, or a redirect. Undefined for JSON. */
export function rawAnswer({ responses }) {
  if (isJson({ responses })) return undefined;
  return Object.keys(responses).some((status) => status.startsWith('2')) ? 'body' : 'redirect';
}

/** The type of a body that is not sent as JSON. */
export function bodyType({ requestBody }) {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes('application/json') ? undefined : types[0];
}

export function takesKey({ parameters = [] }) {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

function operationOf({ operationId, summary, parameters = [], requestBody, responses }) {
  return {
    operationId,
    summary,
    parameters: parameters.filter(({ name }) => !SENT.has(name)),
    ...(requestBody && { requestBody: bodyOf(requestBody) }),
    responses: jsonResponses(responses),
  };
}

/** A body that is JSON or a form with a file has either type: the client sees from the value which one it is. */
function bodyOf(requestBody) {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody.content;
  if (!json || form?.schema.properties?.file?.format !== 'binary') return requestBody;
  return { ...requestBody, content: { 'application/json': { schema: { oneOf: [json.schema, form.schema] } } } };
}

function jsonResponses(responses) {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status, { content }]) => status < '300' && content?.['application/json'])
      .map(([status, { description, content }]) => [
        status,
        { description, content: { 'application/json': content['application/json'] } },
      ]),
  );
}

function schemasOf(parts, all) {
  const schemas = {};
  const collect = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (schemas[name]) continue;
      schemas[name] = withoutExplanations(all[name]);
      collect(schemas[name]);
    }
  };
  collect(parts);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutExplanations(value, areNames = false) {
  if (Array.isArray(value)) return value.map((each) => withoutExplanations(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => areNames || !EXPLANATIONS.has(key))
      .map(([key, inner]) => [key, withoutExplanations(inner, !areNames && NAMES.has(key))]),
  );
}

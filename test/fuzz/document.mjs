/** The served OpenAPI document: its operations, and the responses that each of them may send. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** General HTTP problems that a request for any operation may get: codes by status. */
const GENERAL = {
  400: ['invalid_parameter'],
  405: ['method_not_allowed'],
  408: ['invalid_parameter'],
  413: ['payload_too_large'],
  417: ['invalid_parameter'],
  431: ['invalid_parameter'],
  503: ['unavailable'],
};

export class Document {
  static async fetch(url) {
    const response = await fetch(`${url}/openapi.json`);
    return new Document(await response.json());
  }

  constructor(json) {
    this.json = json;
    this.schemas = new Schemas(json);
    this.operations = Object.entries(json.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => this.operation(path, method, item[method])),
    );
    this.byId = new Map(this.operations.map((operation) => [operation.id, operation]));
  }

  operation(path, method, { operationId, parameters = [], requestBody, responses, security = [], ...rest }) {
    const resolved = parameters.map((parameter) => this.resolve(parameter));
    const bodies = Object.entries(this.resolve(requestBody)?.content ?? {});
    // A file is sent, rather than its URL, at which the service would look.
    const [body] = [...bodies.filter(([type]) => type.startsWith('multipart/')), ...bodies];
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      segments: path.split('/'),
      inPath: resolved.filter((parameter) => parameter.in === 'path'),
      inQuery: resolved.filter((parameter) => parameter.in === 'query'),
      inHeader: resolved.filter((parameter) => parameter.in === 'header'),
      body: body && { type: body[0], schema: body[1].schema },
      responses,
      codes: rest['x-problem-codes'],
      hasKey: security.some((scheme) => scheme.bearer),
      inSession: security.some((scheme) => scheme.session) && !security.some((scheme) => scheme.bearer),
    };
  }

  /** Resolves a `$ref`; returns any other value unchanged. */
  resolve(value) {
    if (!value?.$ref) return value;
    const path = value.$ref.slice(2).split('/');
    return this.resolve(path.reduce((at, name) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')], this.json));
  }

  /**
   * Matches a request line like the router: literal segments must be equal, a parameter is any segment that is not empty. `others` are the
   * methods that the path supports.
   */
  match(method, target) {
    const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0];
    const segments = path.endsWith('/') ? path.slice(0, -1).split('/') : path.split('/');
    const names = ({ segments: own }) => own.filter((segment) => !segment.startsWith('{')).length;
    // `/erasures/{erasure_id}` comes before `/{form_id}/stats`.
    const found = this.operations
      .filter((operation) => fits(operation.segments, segments))
      .sort((a, b) => names(b) - names(a));
    const wanted = method === 'HEAD' ? 'GET' : method;
    return { operation: found.find((one) => one.method === wanted), others: found.map((one) => one.method) };
  }

  /** The errors in a response's status, content type, code or body, as texts. */
  faultsOf({ operation, others }, { method, answer, json }) {
    const type = (answer.headers.get('content-type')?.[0] ?? '').split(';')[0].trim().toLowerCase();
    const isProblem = type === 'application/problem+json';
    if (isProblem && GENERAL[answer.status]?.includes(json?.code)) return this.problemFaults(json);
    if (method === 'OPTIONS' && answer.status === 204) return [];
    // A response to HEAD has no body that could contain a code.
    if (method === 'HEAD' && isProblem && (GENERAL[answer.status] || (!operation && answer.status === 404))) return [];
    if (!operation) return this.faultsWithoutOperation({ others, answer, isProblem, json });
    const response = this.resolve(operation.responses[answer.status]);
    if (!response) return [`${answer.status} is not documented for ${operation.id}`];
    if (method === 'HEAD') return [];
    // Browsers get a page about a problem too, as the description says.
    if (type === 'text/html' && this.resolve(operation.responses[200])?.content?.[type]) return [];
    const content = Object.entries(response.content ?? {}).find(([known]) => known === type || known === '*/*');
    if (!content) {
      // 304, and parts of files, have no documented type.
      if (!response.content) return [];
      return [`${answer.status} of ${operation.id} is not documented as ${type || 'without a type'}`];
    }
    if (isProblem && !this.isCodeOf(operation, content[1], json?.code)) {
      return [`the code ${json?.code} is not documented for ${answer.status} of ${operation.id}`];
    }
    if (type === 'application/x-ndjson') return lineFaults(answer.body);
    // Uploaded files have any type and any bytes.
    if (content[0] === '*/*' || !type.endsWith('json')) return [];
    if (json === undefined) return ['the body is not JSON'];
    return this.schemas.faults(content[1].schema, json).map((fault) => `the body does not match its schema: ${fault}`);
  }

  /** Whether the operation can return the code, with the status of this response. */
  isCodeOf({ codes }, { examples }, code) {
    return codes.includes(code) && Object.hasOwn(examples, code);
  }

  faultsWithoutOperation({ others, answer, isProblem, json }) {
    if (isProblem && answer.status === 404 && json?.code === 'not_found') return this.problemFaults(json);
    if (others.length > 0) return [`${answer.status} for a method that the path does not support`];
    return [`${answer.status} for an undocumented path`];
  }

  problemFaults(json) {
    return this.schemas.faults({ $ref: '#/components/schemas/Problem' }, json);
  }
}

/** Every line is a JSON object. */
function lineFaults(body) {
  const lines = body.toString().split('\n');
  if (lines.pop() !== '') return ['the last line of the body has no end'];
  return lines.every(isObjectText) ? [] : ['a line of the body is not a JSON object'];
}

function isObjectText(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function fits(template, segments) {
  return (
    template.length === segments.length &&
    template.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}

/** Validates values against the document's schemas. */
class Schemas {
  ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true });
  compiled = new Map();

  constructor(json) {
    (addFormats.default ?? addFormats)(this.ajv);
    this.ajv.addSchema(json, 'document');
  }

  faults(schema, value) {
    const key = JSON.stringify(schema);
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = this.ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')));
      this.compiled.set(key, validate);
    }
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

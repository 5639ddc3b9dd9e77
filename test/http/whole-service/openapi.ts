import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { PROBLEMS, type ProblemCode } from '../../../src/errors/problem.js';
import { METHODS, type Operation, operationOf, type Response } from '../../support/api.js';
import type { Call } from '../../support/scenario.js';
import { build } from '../../support/service.js';
import { played } from './played.js';

const ROOT = join(import.meta.dirname, '../../..');

describe('the OpenAPI document', () => {
  let document: OpenAPIObject;
  let operations: Operation[];
  let calls: Call[];
  let schemas: Schemas;
  beforeAll(() => {
    ({ document, operations } = played);
    schemas = new Schemas(document);
    ({ calls } = played.mine);
  });

  it('equals openapi.json without extensions: otherwise run npm run openapi', async () => {
    await build();
    await promisify(execFile)(process.execPath, ['scripts/openapi.mjs', '--check'], { cwd: ROOT });
    const { paths } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as OpenAPIObject;
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(Object.keys(paths)));
  }, 120_000);

  it('describes every operation with a summary, a tag and descriptions', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { method } of operations.filter((operation) => operation.path === path)) {
        const operation = item[method];
        const name = `${method} ${path}`;
        expect([name, operation?.summary]).toEqual([name, expect.stringMatching(/\w/)]);
        expect([name, operation?.tags]).toEqual([name, [expect.any(String)]]);
        const described = document.tags?.map((tag) => tag.name);
        expect(described).toContain(operation?.tags?.[0]);
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
        const parameters = (operation?.parameters ?? []) as { name: string; in: string; description?: string }[];
        expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
        for (const parameter of parameters.filter((one) => one.in !== 'path')) {
          expect([name, parameter.name, parameter.description]).toEqual([name, parameter.name, expect.any(String)]);
        }
        const names = parameters.map((parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`);
        expect(new Set(names).size).toBe(names.length);
      }
    }
  });

  it('has a unique operation ID for each operation, which begins with a verb and reads as the name of a method', () => {
    const items = [...Object.values(document.paths), ...Object.values(webhooksOf(document))];
    const ids = items.flatMap((item) => METHODS.flatMap((method) => item[method]?.operationId ?? []));
    expect(ids.length).toBe(operations.length + Object.keys(webhooksOf(document)).length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id) || !VERBS.has(/^[a-z]+/.exec(id)?.[0] ?? ''))).toEqual(
      [],
    );
  });

  it('names the security of every operation: a bearer key, a session, or none for public ones', () => {
    expect(document.components?.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
    const open = operations.filter(({ isPublic }) => isPublic).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'get /media/{tenant_id}/{file}',
      'get /v1/event-types',
      'get /v1/forms/{tenant_id}/{form_id}/challenge',
      'get /v1/invitations/{invitation_token}',
      'get /v1/oidc/{provider}/callback',
      'get /v1/oidc/{provider}/start',
      'get /v1/preview/{token}',
      'get /v1/sessions/methods',
      'post /v1/forms/{tenant_id}/{form_id}/submissions',
      'post /v1/invitations/{invitation_token}',
      'post /v1/invitations/{invitation_token}/options',
      'post /v1/password-resets',
      'post /v1/password-resets/{token}',
      'post /v1/sessions',
      'post /v1/sessions/options',
    ]);
    const ofPeople = operations.filter(({ inSession }) => inSession).map(({ path }) => path);
    expect(ofPeople.every((path) => /^\/v1\/(me|sessions)(\/|$)/.test(path))).toBe(true);
  });

  it('has an example of every problem that an operation can return, equal to the real response', () => {
    const codes = Object.keys(PROBLEMS) as ProblemCode[];
    const returned = codes.filter((code) => operations.some((operation) => operation.codes.includes(code)));
    expect(Object.keys(document.components?.examples ?? {})).toEqual(returned);
    expect(codes.filter((code) => !returned.includes(code))).toEqual(['method_not_allowed']);
    for (const [code, example] of Object.entries(document.components?.examples ?? {})) {
      const { value } = example as { value: { code: string } };
      expect(value.code).toBe(code);
      expect(schemas.faults('#/components/schemas/Problem', value)).toEqual([]);
    }
  });

  it('has examples that match their own schemas', () => {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      if ('$ref' in schema || !schema.properties) continue;
      const example = Object.fromEntries(
        Object.entries(schema.properties).flatMap(([property, value]) =>
          'example' in value && value.example !== undefined ? [[property, value.example]] : [],
        ),
      );
      const faults = schemas
        .faults(`#/components/schemas/${name}`, example)
        .filter((fault) => !fault.includes('required property'));
      expect([name, faults]).toEqual([name, []]);
    }
  });

  it('is tested completely: every operation succeeded once', () => {
    const exercised = new Set(
      calls
        .filter(({ status, path }) => status < 300 || (status === 303 && path.startsWith('/v1/oidc/')))
        .map(({ method, path }) => operationOf(operations, method, path))
        .map((operation) => `${operation?.method} ${operation?.path}`),
    );
    const all = operations.map(({ method, path }) => `${method} ${path}`);
    // test/people/oidc has a provider.
    expect(all.filter((operation) => !exercised.has(operation) && !operation.includes('/v1/oidc/'))).toEqual([]);
  });

  it('has strict schemas: an additional, missing or wrongly typed property is an error', () => {
    const deleted = { message: 'The entry was deleted.' };
    expect(schemas.faults('#/components/schemas/Message', deleted)).toEqual([]);
    for (const wrong of [{}, { message: 1 }, { ...deleted, more: true }]) {
      expect(schemas.faults('#/components/schemas/Message', wrong)).not.toEqual([]);
    }
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      // A union consists of strict schemas.
      if ('$ref' in schema || schema.oneOf || schema.type === 'string') continue;
      expect([name, schema.additionalProperties]).toEqual([name, false]);
    }
  });

  it('describes every property of the real responses', () => {
    const faults: string[] = [];
    for (const call of calls) {
      const response = responseOf(call);
      const name = `${call.method} ${call.path} ${call.status}`;
      if (!response) {
        faults.push(`${name} is not documented: ${JSON.stringify(call.body)}`);
        continue;
      }
      const [schema] = Object.entries(response.content ?? {}).flatMap(([type, content]) =>
        type === call.contentType || type === '*/*' ? [content.schema] : [],
      );
      if (!schema) {
        // Neither a redirect nor a 304 has a body.
        if (![303, 304].includes(call.status)) faults.push(`${name} is not documented as ${call.contentType}`);
      } else if (call.contentType.endsWith('json')) {
        faults.push(...schemas.faults(schema, call.body).map((fault) => `${name}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

  it('documents the codes of the real problems', () => {
    for (const call of calls.filter(({ status }) => status >= 400)) {
      const { method, path, body } = call;
      const ofStatus = responseOf(call)?.content?.['application/problem+json']?.examples ?? {};
      const codes = operationOf(operations, method, path)?.codes.filter((code) => Object.hasOwn(ofStatus, code));
      expect({ path, codes }).toEqual({ path, codes: expect.arrayContaining([(body as { code: string }).code]) });
    }
  });

  it('has no default or example of an optional parameter that changes the response: Swagger UI would send it', () => {
    const parameters = operations.flatMap(
      ({ method, path }) => (document.paths[path]?.[method]?.parameters ?? []) as Parameter[],
    );
    const prefilled = parameters.filter(
      ({ required, schema }) => !required && (schema.default ?? schema.example) !== undefined,
    );
    expect(new Set(prefilled.map(({ name }) => name))).toEqual(
      new Set(['per_page', 'sort', 'filter', 'force', 'hours']),
    );
  });

  it('names its schemas for what they are', () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['Entry', 'CreateEntry', 'EntryPage', 'PageMeta', 'FieldDefinition', 'Problem']),
    );
    expect(names.filter((name) => /Dto|Base/.test(name))).toEqual([]);
  });

  it('tells numbered pages and cursor pages apart by their meta', () => {
    const [numbered, byCursor] = [
      { page: 1, per_page: 25, total: 0 },
      { per_page: 25, next_cursor: null },
    ];
    for (const meta of [numbered, byCursor]) {
      expect(schemas.faults('#/components/schemas/EntryPage', { data: [], meta })).toEqual([]);
    }
    expect(schemas.faults('#/components/schemas/PageMeta', byCursor)).not.toEqual([]);
    expect(schemas.faults('#/components/schemas/CursorMeta', numbered)).not.toEqual([]);
    expect(
      schemas.faults('#/components/schemas/EntryPage', { data: [], meta: { ...numbered, ...byCursor } }),
    ).not.toEqual([]);
  });

  it('has an example of a webhook secret that is not one', () => {
    const schema = document.components?.schemas?.['CreateWebhook'] as { properties: { secret: { example: string } } };
    expect(schema.properties.secret.example).toMatch(/^whsec_<.*>$/);
  });

  it('shares one response of each status, and lists the codes of each operation', () => {
    for (const operation of Object.values(document.paths).flatMap((item) =>
      METHODS.flatMap((method) => item[method] ?? []),
    )) {
      // The file endpoint has its own 416.
      const problems = Object.entries(operation.responses).filter(
        ([status]) => Number(status) >= 400 && status !== '416',
      );
      for (const [, response] of problems)
        expect(response).toEqual({ $ref: expect.stringMatching(/^#\/components\/responses\/\w+$/) });
      const codes = (operation as { 'x-problem-codes'?: ProblemCode[] })['x-problem-codes'] ?? [];
      const statuses = new Set(codes.map((code) => String(PROBLEMS[code].status)));
      expect([operation.operationId, problems.map(([status]) => status)]).toEqual([
        operation.operationId,
        [...statuses],
      ]);
    }
  });

  function responseOf({ method, path, status }: Call): Response | undefined {
    return operationOf(operations, method, path)?.responses[status];
  }
});

/** What operations do. Add a verb only if none of these says it. */
const VERBS = new Set(
  (
    'accept add adopt apply cancel change check compare copy create delete discard end export finish follow get import invite list mark move ' +
    'plan preview publish purge receive redeliver release remove replay request resend restore revoke run save search send set start submit test update ' +
    'upload withdraw'
  ).split(' '),
);

function webhooksOf(document: OpenAPIObject): OpenAPIObject['paths'] {
  return (document as { webhooks?: OpenAPIObject['paths'] }).webhooks ?? {};
}

interface Parameter {
  name: string;
  required?: boolean;
  schema: { default?: unknown; example?: unknown };
}

/** Validates values against the document's schemas. */
class Schemas {
  private readonly ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'document');
  }

  /** The errors of a value, as text. The schema is one of the document, or a reference into it. */
  faults(schema: object | string, value: unknown): string[] {
    const key = typeof schema === 'string' ? schema : JSON.stringify(schema);
    let validate = this.compiled.get(key);
    if (!validate) {
      const text = typeof schema === 'string' ? JSON.stringify({ $ref: schema }) : key;
      validate = this.ajv.compile(JSON.parse(text.replaceAll('"#/', '"document#/')) as object);
      this.compiled.set(key, validate);
    }
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

import type { OpenAPIObject } from '@nestjs/swagger';
import request from 'supertest';
import type { TestApp } from './app.js';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of the OpenAPI document. */
export interface Operation {
  method: Method;
  /** As documented: `/v1/content/{tenant_id}/types`. */
  path: string;
  isPublic: boolean;
  /** It requires a session, and concerns no tenant. */
  inSession: boolean;
  /** The names of its query parameters. */
  query: readonly string[];
  /** The scopes of which a key needs one (`x-scopes`). Empty for a public operation. */
  scopes: readonly string[];
  /** The example request body, if the operation has a body. */
  body?: object;
  /** By status, without references. */
  responses: Record<string, Response>;
  /** The codes of all problems that the operation can return. */
  codes: string[];
}

export interface Response {
  content?: Record<string, { schema: object; examples?: object }>;
}

export async function readDocument(app: TestApp): Promise<OpenAPIObject> {
  const { body } = await app.client().get('/openapi.json').expect(200);
  return body as OpenAPIObject;
}

export function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      return {
        method,
        path,
        query: ((operation.parameters ?? []) as { in: string; name: string }[])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => name),
        scopes: (operation as { 'x-scopes'?: string[] })['x-scopes'] ?? [],
        isPublic: operation.security?.every((scheme) => Object.keys(scheme).length === 0) ?? true,
        inSession: operation.security?.some((scheme) => 'session' in scheme) ?? false,
        body: operation.requestBody && exampleOf(document, operation.requestBody),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [status, resolve(document, response)]),
        ),
        codes: (operation as { 'x-problem-codes'?: string[] })['x-problem-codes'] ?? [],
      };
    }),
  );
}

/** Returns the response that a reference names; any other response as it is. */
function resolve({ components }: OpenAPIObject, response: object | undefined): Response {
  const [, name] = /^#\/components\/responses\/(\w+)$/.exec((response as { $ref?: string }).$ref ?? '') ?? [];
  return (name === undefined ? response : components?.responses?.[name]) as Response;
}

function exampleOf({ components }: OpenAPIObject, requestBody: object): object {
  const reference = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(requestBody))?.[1] ?? '';
  const schema = components?.schemas?.[reference];
  const properties = schema && 'properties' in schema ? Object.entries(schema.properties ?? {}) : [];
  // The example of a secret is a placeholder, which is refused.
  const usable = properties.filter(([name]) => name !== 'secret');
  // What a passkey answers belongs to one challenge.
  const shown = usable.filter(([name]) => name !== 'passkey');
  return Object.fromEntries(shown.map(([name, property]) => [name, 'example' in property && property.example]));
}

/** The operation that handles the request. If several match, the one with the fewest parameters. */
export function operationOf(operations: readonly Operation[], method: Method, path: string): Operation | undefined {
  const [plain = ''] = path.split('?');
  return operations
    .filter((operation) => operation.method === method && pattern(operation.path).test(plain))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Replaces the parameters in the path by their values. */
export function fill(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? `{${name}}`);
}

export function send(
  app: TestApp,
  { method, path, body }: Pick<Operation, 'method' | 'path' | 'body'>,
  key?: string,
  headers: Record<string, string> = {},
): request.Test {
  const test = request(app.url)[method](path).set(headers);
  if (key) test.set('Authorization', `Bearer ${key}`);
  return body ? test.send(body) : test;
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { operationId } from '../../openapi/operation-id.js';
import { type DocumentedOperation, operationsOf } from '../../openapi/operations.js';
import type { Operation } from './operation.js';

/** A JSON Schema. */
export type AnySchema = Record<string, unknown>;

/** What the API's document says of an operation. References lead to its components. */
export interface DocumentedParts {
  summary: string;
  /** The schemas of the query's parameters by name, with their descriptions. */
  query: Record<string, AnySchema>;
  /** The properties of the body. */
  body: Record<string, AnySchema>;
  /** The names of those that the body must have. */
  required: readonly string[];
  /** The schema of the successful response. */
  response: AnySchema;
}

interface WithSchema {
  schema?: AnySchema;
}

/** Throws if the document lacks the operation. */
export function documentedParts(document: OpenAPIObject, { controller, handler }: Operation): DocumentedParts {
  const id = operationId(controller.name, handler);
  const found = operationsOf(document).find(({ operation }) => operation.operationId === id)?.operation;
  if (!found) throw new Error(`The API's document has no operation ${id}.`);
  const body = resolve(document, jsonOf(found.requestBody));
  const success = Object.entries(found.responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    summary: found.summary ?? '',
    query: queryOf(found),
    body: (body['properties'] as Record<string, AnySchema> | undefined) ?? {},
    required: (body['required'] as string[] | undefined) ?? [],
    response: resolve(document, jsonOf(success)),
  };
}

/** Returns the schema itself in the place of a reference to a component. */
export function resolve({ components }: OpenAPIObject, schema: AnySchema): AnySchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return components?.schemas?.[reference.split('/').at(-1) ?? ''] as AnySchema;
}

function jsonOf(part: unknown): AnySchema {
  const { content } = (part ?? {}) as { content?: Record<string, WithSchema> };
  return content?.['application/json']?.schema ?? {};
}

function queryOf({ parameters = [] }: DocumentedOperation): Record<string, AnySchema> {
  const described = parameters as ({ in: string; name: string; description?: string } & WithSchema)[];
  return Object.fromEntries(
    described
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  );
}

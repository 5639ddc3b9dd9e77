import type { OpenAPIObject } from '@nestjs/swagger';
import { standaloneSchema } from '../../openapi/standalone-schema.js';
import { ADDED_SCHEMAS } from '../answers/answer.js';
import { type DocumentedParts, documentedParts, type AnySchema } from '../operations/documented-operation.js';
import { AS_DATA, type Tool } from './tool.js';

/** An answer has at most this many records. */
export const MAX_RECORDS = 25;

/**
 * Results are described without what tells an assistant nothing, and without limits that an answer that was cut would break. An assistant sees the
 * definitions of fields before it needs their schema.
 */
const OMISSIONS = {
  keywords: [
    'example',
    'examples',
    'description',
    'title',
    'minItems',
    'maxItems',
    'minLength',
    'maxLength',
    'pattern',
    'format',
  ],
  components: ['FieldDefinition', 'FormFieldDefinition'],
};

export type ToolSchema = AnySchema & { type: 'object' };

/** Returns the schema of a tool's arguments: those of the operation's parameters and body. */
export function inputSchema(document: OpenAPIObject, tool: Tool): ToolSchema {
  const parts = documentedParts(document, tool.operation);
  const ofPath = Object.values(tool.path);
  const properties = {
    ...Object.fromEntries(ofPath.map(({ argument, description }) => [argument, { type: 'string', description }])),
    ...queryOf(tool, parts),
    ...Object.fromEntries((tool.body ?? []).map((name) => [name, parts.body[name] ?? {}])),
    ...tool.own,
  };
  const required = [
    ...ofPath.filter(({ isOptional }) => !isOptional).map(({ argument }) => argument),
    ...(tool.body ?? []).filter((name) => parts.required.includes(name)),
  ];
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return standaloneSchema(document, schema) as ToolSchema;
}

function queryOf({ query = {} }: Tool, parts: DocumentedParts): Record<string, AnySchema> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([argument, name]) => {
      const schema = parts.query[name];
      if (!schema) return [];
      if (argument === 'per_page') return [[argument, { ...schema, maximum: MAX_RECORDS }]];
      return [[argument, schema]];
    }),
  );
}

/** Returns the schema of a tool's results: that of the operation's response, with what is said of values that were cut. */
export function outputSchema(document: OpenAPIObject, tool: Tool): ToolSchema {
  const responses = [tool.operation, ...(tool.others ?? [])].map((one) => documentedParts(document, one).response);
  const properties: AnySchema = {};
  for (const response of responses) {
    for (const [name, schema] of Object.entries((response['properties'] ?? {}) as Record<string, AnySchema>)) {
      properties[name] = properties[name] ? { anyOf: [properties[name], schema] } : schema;
    }
  }
  const schema = {
    type: 'object',
    properties: { ...properties, ...(tool.data && { data: tool.data }), ...tool.adds, ...ADDED_SCHEMAS },
    additionalProperties: false,
  };
  return loosened(standaloneSchema(document, schema, OMISSIONS)) as ToolSchema;
}

/** Of several schemas that fit, one is enough: a record of which members were left out may fit more than one. */
function loosened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name === 'oneOf' && Array.isArray(value) ? 'anyOf' : name,
      loosened(value),
    ]),
  );
}

/** The description of a tool, as assistants see it. */
export function describe({ description }: Tool): string {
  return `${description} ${AS_DATA}`;
}

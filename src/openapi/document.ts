import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '../errors/problem.dto.js';
import { problemExamples } from '../errors/problem-examples.js';
import { omitFromExamples } from './body-examples.js';
import { tags } from '../modules/installed-modules.js';
import { DESCRIPTION } from './description.js';
import { addEvents, eventModels } from './event-schemas.js';
import { eventTypeSchema } from './event-type.js';
import { withNullTypes } from './json-types.js';
import { definitionSchemas } from '../fields/definitions/openapi.js';
import { operationId } from './operation-id.js';
import { operationsOf } from './operations.js';
import { addFormBodies } from './form-bodies.js';
import { nameSchemas } from './schema-names.js';
import { shareProblemResponses } from './shared-responses.js';

/** Generates the OpenAPI document from the code. Its server is the one that serves it. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Trivet')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This service')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key of the tenant.' })
    .addSecurity('session', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-trivet',
      description:
        'The cookie that signing in sets; its name is `trivet` on http. It is accepted with the header `X-Trivet-Console: 1` from the origin of ' +
        'the console, also in the place of an API key.',
    });
  for (const { name, description, guide } of tags()) {
    builder.addTag(name, description, guide ? { url: `/guides/${guide}`, description: 'Guide' } : undefined);
  }
  const scanned = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, ...eventModels()],
    operationIdFactory: operationId,
  });
  const document = nameSchemas(scanned);
  document.info.contact = { name: 'The operator of this service' };
  addFormBodies(document);
  addComponents(document);
  omitFromExamples(document);
  addEvents(document);
  closeSchemas(document);
  documentReplays(document);
  orderParameters(document);
  return withNullTypes(document);
}

/** Adds the shared problem responses with their examples, and the field definitions. */
function addComponents(document: OpenAPIObject): void {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const { responses, codes } = shareProblemResponses(operations);
  const { schemas, ...components } = document.components ?? {};
  document.components = {
    ...components,
    schemas: {
      ...schemas,
      ...definitionSchemas('content'),
      ...definitionSchemas('form'),
      EventType: eventTypeSchema(),
    },
    responses,
    examples: problemExamples(codes),
  };
}

/** Excludes undocumented properties from bodies and responses, unless a schema allows them itself. */
function closeSchemas({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('properties' in schema && schema.additionalProperties === undefined) schema.additionalProperties = false;
  }
}

/** Adds the header `Idempotency-Replayed` to the successful responses of operations that take an `Idempotency-Key`. */
function documentReplays(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const parameters = (operation.parameters ?? []) as { name: string }[];
    if (!parameters.some(({ name }) => name === 'Idempotency-Key')) continue;
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || !status.startsWith('2') || '$ref' in response) continue;
      response.headers = { ...response.headers, 'Idempotency-Replayed': REPLAYED };
    }
  }
}

const REPLAYED = {
  description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string' as const, enum: ['true'] },
};

/** Sorts the parameters: those of the path in its order, then those of the query, then headers. */
function orderParameters(document: OpenAPIObject): void {
  for (const { path, operation } of operationsOf(document)) {
    const place = ({ in: where, name }: { in: string; name: string }) =>
      where === 'path' ? path.indexOf(`{${name}}`) : where === 'query' ? path.length : path.length + 1;
    const parameters = operation.parameters as { in: string; name: string }[] | undefined;
    parameters?.sort((a, b) => place(a) - place(b));
  }
}

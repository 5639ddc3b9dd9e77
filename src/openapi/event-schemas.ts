import type { OpenAPIObject } from '@nestjs/swagger';
import { loadedEventTypes, type LoadedEventType } from '../modules/event-types.js';
import type { DataClass } from '../modules/module-manifest.js';
import { exampleOf } from './example-of.js';
import { schemaName } from './schema-names.js';

const EVENT_ID = 'evt_01k9mzh6xze3n8mqsd5wkxp2zt';
const TIMESTAMP = '2026-01-31T09:30:00.000Z';

/** What every delivery sends beside the body (`webhooks/deliveries/deliver.ts`). Only a webhook that signs has a signature. */
const HEADERS = [
  header('webhook-id', 'The ID of the event, the same on every retry.', EVENT_ID),
  header('webhook-timestamp', 'The time of the attempt, in seconds since 1970.', '1769851800'),
  header(
    'webhook-signature',
    'Signatures of `{webhook-id}.{webhook-timestamp}.{body}`, with spaces between them: `v1,` for each `secret`, and `v1a,` with `signature`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ),
  header('trivet-attempt', 'The number of the attempt: 1 for the first.', '1'),
  header(
    'trivet-version',
    'Grows with the changes of the resource, so that an older state does not replace a newer one.',
    '7',
  ),
];

const ERASED = '`null` in the feed if the data was deleted since.';

/** The body of an event in the document: a delivery to a webhook, and a record of the feed. */
interface DocumentedEvent {
  type: string;
  description: string;
  /** The name of the schema of the body. */
  schema: string;
  example: object;
}

/** The DTOs of the data of all events, which the document must contain. */
export function eventModels(): DataClass[] {
  return [...new Set(loadedEventTypes().map(({ data }) => data))];
}

/** Adds a schema for each type of event, and lists the types under `webhooks`. The schemas of their data must be there. */
export function addEvents(document: OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  const events = documentedEvents(document);
  for (const type of loadedEventTypes()) schemas[nameOf(type.type)] = bodySchema(type);
  document.components.schemas = schemas;
  const webhooks = events.map((event) => [event.type, { post: operation(event) }]);
  Object.assign(document, { webhooks: Object.fromEntries(webhooks) as object });
}

/** The events of the document, with their examples. */
export function documentedEvents(document: OpenAPIObject): DocumentedEvent[] {
  return loadedEventTypes().map((type) => ({
    type: type.type,
    description: type.description,
    schema: nameOf(type.type),
    example: exampleBody(document, type),
  }));
}

function header(name: string, description: string, example: string, required = true): object {
  return { name, in: 'header', required, description, schema: { type: 'string' }, example };
}

/** `entry.schedule_failed` becomes `EntryScheduleFailedEvent`. */
function nameOf(type: string): string {
  return `${pascal(type)}Event`;
}

function pascal(type: string): string {
  return type.replace(/(?:^|[._])([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function bodySchema({ type, description, data, isErasable }: LoadedEventType): object {
  const resource = { $ref: `#/components/schemas/${schemaName(data.name)}` };
  return {
    type: 'object',
    description,
    required: ['id', 'type', 'timestamp', 'tenant_id', 'data'],
    properties: {
      id: {
        type: 'string',
        description: 'The same in every delivery of the event, and in the feed.',
        example: EVENT_ID,
      },
      type: { type: 'string', const: type, example: type },
      timestamp: { type: 'string', format: 'date-time', description: 'The time of the change.', example: TIMESTAMP },
      tenant_id: { type: 'string', example: 'ten_demo' },
      data: isErasable ? { anyOf: [resource, { type: 'null' }], description: ERASED } : resource,
    },
  };
}

function exampleBody(document: OpenAPIObject, { type, data, example }: LoadedEventType): object {
  const schema = document.components?.schemas?.[schemaName(data.name)];
  if (!schema) throw new Error(`The data of ${type} has no schema: ${data.name} needs @ApiProperty.`);
  const resource = { ...(exampleOf(document, schema) as object), ...example };
  return { id: EVENT_ID, type, timestamp: TIMESTAMP, tenant_id: 'ten_demo', data: resource };
}

function operation({ type, description, schema, example }: DocumentedEvent): object {
  const noun = type.replace(/[._]/g, ' ');
  return {
    operationId: `receive${pascal(type)}`,
    summary: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    description: `${description} A webhook with \`payload: thin\` receives only the IDs of the data.`,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
    },
    responses: {
      '2XX': {
        description: 'The receiver has the event. Any other response is a failure, and the delivery is tried again.',
      },
      '410': { description: 'The receiver wants no more events. The webhook becomes inactive.' },
    },
  };
}

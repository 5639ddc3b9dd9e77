import type { Type } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { type OptionColumn, type OptionContext, plainOption, type WebhookOption } from './webhook-option.js';
import { FILTERS } from './webhook-filters.js';
import { HEADERS } from './webhook-headers.js';

/** What deliveries carry: the whole data of the event, or the IDs of its resource. */
const PAYLOADS = ['full', 'thin'] as const;
type Payload = (typeof PAYLOADS)[number];

/** The largest `max_concurrency`. */
const MAX_CONCURRENCY = 100;

/**
 * The options of webhooks: everything that the table, requests, responses and the audit log have of each, in this order. A new one also
 * needs the migration that adds its columns.
 */
const OPTIONS = {
  description: plainOption<string>()('description', {
    column: { type: 'text' },
    validation: [
      IsString({ message: 'description must be a string' }),
      Length(0, 500, { message: 'description must have at most 500 characters' }),
    ],
    schema: { type: 'string', maxLength: 500, example: 'Rebuilds the website' },
    requestSchema: { type: 'string', maxLength: 500, example: 'Rebuilds the website' },
  }),

  headers: HEADERS,

  filters: FILTERS,

  payload: plainOption<Payload>()('payload', {
    column: { type: 'text' },
    validation: [IsIn(PAYLOADS, { message: 'payload must be full or thin' })],
    schema: payloadSchema([...PAYLOADS]),
    requestSchema: { ...payloadSchema([...PAYLOADS, null]), nullable: true },
    widens: (before, after) => before === 'thin' && after !== 'thin',
  }),

  ordered: plainOption<boolean>()('ordered', {
    column: { type: 'boolean' },
    validation: [IsBoolean({ message: 'ordered must be a boolean' })],
    schema: {
      type: 'boolean',
      example: true,
      description:
        '`true`: events of one resource (with the same `data.id`) are delivered in the order in which they happened, each after the one before it has ' +
        'succeeded, failed or was canceled. Other resources do not wait. Replays, deliveries that are sent again, and tests do not wait either.',
    },
  }),

  max_concurrency: plainOption<number>()('maxConcurrency', {
    column: { type: 'integer', name: 'max_concurrency' },
    validation: [
      IsInt({ message: 'max_concurrency must be an integer' }),
      Min(1, { message: 'max_concurrency must be at least 1' }),
      Max(MAX_CONCURRENCY, { message: `max_concurrency must be at most ${MAX_CONCURRENCY}` }),
    ],
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_CONCURRENCY,
      example: 5,
      description:
        'The maximum number of requests to the receiver at once, counted over all workers. The default is 20, which the processes of one ' +
        '`WEB_CONCURRENCY` share.',
    },
  }),
};

function payloadSchema(values: (Payload | null)[]) {
  return {
    type: 'string' as const,
    enum: values,
    example: 'full',
    description:
      '`full` (the default): the data of an event is its resource. `thin`: only its `id`, and `content_type_id` of an entry or `form_id` ' +
      'of a submission.',
  };
}

type Options = typeof OPTIONS;
type Name = keyof Options;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type SentOptions = { [Each in Name]?: Exclude<Parameters<Options[Each]['write']>[0], undefined> };
type ShownOptions = { [Each in Name]?: Exclude<ReturnType<Options[Each]['present']>, undefined> };
export type OptionColumns = Intersection<Parameters<Options[Name]['present']>[0]>;

/** The options as the loops below see them. */
const ALL = Object.entries(OPTIONS) as unknown as [Name, WebhookOption<unknown, OptionColumns, unknown>][];

/** The options of a webhook as requests have them. `null` removes one. */
class RequestOptions {}
/** The options of a webhook as responses have them: only those that were set. */
class ResponseOptions {}
for (const [name, { validation, schema }] of ALL) {
  const decorators = [IsOptional(), ...validation, ApiPropertyOptional(schema.request)];
  // In the order in which decorators above a property are applied.
  for (const decorate of decorators.reverse()) decorate(RequestOptions.prototype, name);
  ApiPropertyOptional(schema.response)(ResponseOptions.prototype, name);
}

export const WebhookOptionsInput = RequestOptions as Type<SentOptions>;
export const WebhookOptionsDto = ResponseOptions as Type<ShownOptions>;

/** The columns of all options, by the property of the entity. All may be null. */
export const OPTION_COLUMNS: Readonly<Record<string, OptionColumn>> = Object.fromEntries(
  ALL.flatMap(([, { columns }]) => Object.entries<OptionColumn>(columns)),
);

/** The columns of a webhook that has no options. */
export const NO_OPTIONS = Object.fromEntries(Object.keys(OPTION_COLUMNS).map((property) => [property, null])) as {
  [Property in keyof OptionColumns]: null;
};

/** Returns the columns that a request changes, and its errors. */
export async function writeOptions(
  sent: SentOptions,
  context: OptionContext,
): Promise<{ columns: Partial<OptionColumns>; errors: ValueError[] }> {
  const columns: Partial<OptionColumns> = {};
  const errors: ValueError[] = [];
  for (const [name, option] of ALL) {
    const written = await option.write(sent[name], context);
    Object.assign(columns, written.columns);
    errors.push(...(written.errors ?? []));
  }
  return { columns, errors };
}

export function presentOptions(webhook: OptionColumns): ShownOptions {
  const shown = ALL.map(([name, { present }]) => [name, present(webhook)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** Whether a change of options may send more events, or more of their data. Values that are sent back as they are change nothing. */
export function widensOptions(before: OptionColumns, changes: Partial<OptionColumns>): boolean {
  return ALL.some(([, { widens }]) => widens?.(before, changes) ?? false);
}

/** The stored values of the options by name, for the audit log. */
export function storedOptions(webhook: OptionColumns): object {
  return Object.fromEntries(
    ALL.map(([name, { columns }]) => [
      name,
      Object.keys(columns).map((property) => webhook[property as keyof OptionColumns]),
    ]),
  );
}

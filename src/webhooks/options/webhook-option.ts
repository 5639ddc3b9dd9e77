import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Executor } from '../../database/transaction.js';
import type { ValueError } from '../../errors/problem.js';
import type { WebhookSecrets } from '../secrets/webhook-secrets.js';

/** A column of an option, as TypeORM describes it. */
export interface OptionColumn {
  type: 'text' | 'json' | 'boolean' | 'integer';
  name?: string;
  array?: boolean;
}

/** What the writing of an option may need besides its value. */
export interface OptionContext {
  executor: Executor;
  webhook: { tenantId: string; id: string; headers: string | null };
  secrets: WebhookSecrets;
  /** Whether the webhook moves to another origin. */
  isMoved: boolean;
  /** The content types that the key sees; undefined if it sees all. */
  visibleTypes: ReadonlySet<string> | undefined;
}

/** The columns that change, and what is wrong with the value. */
interface WrittenOption<Columns> {
  columns: Partial<Columns>;
  errors?: readonly ValueError[];
}

/** A property of webhooks that requests set and `null` removes. Its columns are null as long as it was not set. */
export interface WebhookOption<Sent, Columns extends object, Shown> {
  columns: Readonly<Record<keyof Columns, OptionColumn>>;
  /** The decorators that check a value of a request which is not null. */
  validation: readonly PropertyDecorator[];
  /** How the API's description has it. */
  schema: { request: ApiPropertyOptions; response: ApiPropertyOptions };
  /** Returns the columns for a value of a request. It is undefined if the request has none. */
  write(
    sent: Sent | null | undefined,
    context: OptionContext,
  ): WrittenOption<Columns> | Promise<WrittenOption<Columns>>;
  /** Returns what responses show; undefined if the option was not set. */
  present(this: void, webhook: Columns): Shown | undefined;
  /** Whether a change of the columns may send more events, or more of their data. */
  widens?(this: void, before: Columns, changes: Partial<Columns>): boolean;
}

type PlainColumns<Property extends string, Value> = Record<Property, Value | null>;

/** An option that is stored and shown as it is sent, in the column of one property. */
export function plainOption<Value>() {
  return <const Property extends string>(
    property: Property,
    {
      column,
      validation,
      schema,
      requestSchema = { ...schema, nullable: true },
      widens,
    }: {
      column: OptionColumn;
      validation: readonly PropertyDecorator[];
      schema: ApiPropertyOptions;
      requestSchema?: ApiPropertyOptions;
      widens?: (before: Value | null, after: Value | null) => boolean;
    },
  ): WebhookOption<Value, PlainColumns<Property, Value>, Value> => ({
    columns: { [property]: column } as Record<Property, OptionColumn>,
    validation,
    schema: { request: requestSchema, response: schema },
    write(sent) {
      return { columns: sent === undefined ? {} : ({ [property]: sent } as PlainColumns<Property, Value>) };
    },
    present(webhook) {
      return webhook[property] ?? undefined;
    },
    widens(before, { [property]: after }) {
      return after !== undefined && (widens?.(before[property], after) ?? false);
    },
  });
}

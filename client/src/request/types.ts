import type { CallOptions } from '../transport/options.js';
import type { Operations } from './generated/operations.js';

/** The name of an operation of the API, as `/docs` shows it. */
export type OperationId = keyof Operations;

type Data<Id extends OperationId> = Operations[Id][0];
type Part<Id extends OperationId, Name extends string> = Data<Id> extends { [K in Name]?: infer Value } ? Value : never;

/** The tenant is that of the client unless it is given. */
type Path<Id extends OperationId> = Omit<Part<Id, 'path'>, 'tenant_id'> & { tenant_id?: string };

/** A body of text can also be sent as bytes or as a stream, and one with files as a form. */
type BodyOf<Id extends OperationId> =
  Part<Id, 'body'> extends string ? string | Blob | ReadableStream : Part<Id, 'body'> | FormData;

type HeadersInContract<Id extends OperationId> = Exclude<Part<Id, 'headers'>, undefined>;

/** A body of text can be of another type than the first that the operation takes: CSV instead of JSON lines. */
type HeadersOf<Id extends OperationId> = [Part<Id, 'body'>] extends [never]
  ? HeadersInContract<Id>
  : Part<Id, 'body'> extends string
    ? { readonly 'Content-Type'?: string }
    : HeadersInContract<Id>;

/** A part may be left out if nothing in it is required. */
type Parameter<Name extends string, Value> = [Value] extends [never]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What an operation takes, beside the options of every call. */
export type RequestInput<Id extends OperationId> = Parameter<'path', Path<Id>> &
  Parameter<'query', Exclude<Part<Id, 'query'>, undefined>> &
  Parameter<'headers', HeadersOf<Id>> &
  (undefined extends Part<Id, 'body'> ? { body?: BodyOf<Id> } : Parameter<'body', BodyOf<Id>>) &
  CallOptions & { readonly idempotencyKey?: string | false };

/** The body of the answer, with its ETag if it has one. A file, a stream or a redirect is the Response itself. */
export type RequestAnswer<Id extends OperationId> = Operations[Id][1] extends Response
  ? Response
  : Operations[Id][1] & { readonly etag?: string };

/** Sends any operation of the API by its name. */
export type RequestOperation = <Id extends OperationId>(
  operationId: Id,
  ...input: Record<never, never> extends RequestInput<Id> ? [RequestInput<Id>?] : [RequestInput<Id>]
) => Promise<RequestAnswer<Id>>;

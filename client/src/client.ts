import type { Collection } from './entries/collection.js';
import { collectionOf } from './entries/entries.js';
import { type Forms, formsOf } from './forms/forms.js';
import type { RequestOperation } from './request/types.js';
import type { AnySchema, SchemaShape, Slug } from './schema/shape.js';
import type { TransportOptions } from './transport/options.js';
import { transportOf } from './transport/transport.js';
import { type Webhooks, webhooksOf } from './webhooks/webhooks.js';

/** The client of a tenant. */
export interface Trivet<S extends SchemaShape = AnySchema> {
  /** The entries of a content type, by its slug. */
  entries<Type extends Slug<S>>(type: Type): Collection<S, Type>;
  readonly forms: Forms<S>;
  readonly webhooks: Webhooks<S>;
  /** Sends any operation of the API by its name. What it needs is loaded with the first call. */
  readonly request: RequestOperation;
}

/** Creates a client. `S` is the interface `Schema` of the file that `types.ts` of the contract has; without it, every name is taken. */
export function createClient<S extends SchemaShape = AnySchema>(options: TransportOptions): Trivet<S> {
  const send = transportOf(options);
  const { tenant } = options;
  const request = async (...input: Parameters<RequestOperation>) => {
    const { requestOver } = await import('./request/request.js');
    return requestOver(send, tenant)(...input);
  };
  return {
    entries: (type) => collectionOf(send, tenant, type),
    forms: formsOf(send, tenant),
    webhooks: webhooksOf(),
    request: request as RequestOperation,
  };
}

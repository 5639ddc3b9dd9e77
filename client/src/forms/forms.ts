import type { Contract } from '../request/index.js';
import type { SchemaShape } from '../schema/shape.js';
import type { FormSlug, SubmittedValues } from '../schema/values.js';
import { formOf } from '../transport/body.js';
import type { WriteOptions } from '../transport/options.js';
import type { Send } from '../transport/spec.js';
import { pathOf } from '../transport/url.js';

interface SubmitOptions extends WriteOptions {
  /**
   * The address of the visitor, from a server that submits for visitors. It is counted by the rate limit in place of the server's own. Needs a
   * key with `forms:write`.
   */
  readonly clientAddress?: string;
}

/** The forms of the tenant. */
export interface Forms<S extends SchemaShape> {
  /** Submits a form, for which no key is needed and none is sent. With files, the values are sent as a browser sends them. */
  submit<Form extends FormSlug<S>>(
    form: Form,
    values: SubmittedValues<S, Form>,
    options?: SubmitOptions,
  ): Promise<Contract.Submission>;
}

export function formsOf<S extends SchemaShape>(send: Send, tenant: string): Forms<S> {
  return {
    submit: async (form, values, options = {}) => {
      const path = pathOf('/v1/forms/{tenant_id}/{form_id}/submissions', { tenant_id: tenant, form_id: form });
      const { clientAddress, idempotencyKey } = options;
      const { body } = await send({
        method: 'POST',
        path,
        body: bodyOf(values),
        headers: { 'Trivet-Client-Address': clientAddress },
        idempotencyKey,
        anonymous: clientAddress === undefined,
        options,
      });
      return (body as { data: Contract.Submission }).data;
    },
  };
}

function bodyOf(values: object): unknown {
  const hasFiles = Object.values(values)
    .flat()
    .some((value) => value instanceof Blob);
  return hasFiles ? formOf(values) : { fields: values };
}

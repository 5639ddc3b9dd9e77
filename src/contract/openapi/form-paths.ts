import type { SchemaObject } from '../../fields/json-schemas/schema-object.js';
import type { ContractedForm } from '../contracted.js';
import { nameOfSlug } from './contract-names.js';
import { type ContractParts, pascal } from './contract-parts.js';
import { submissionSchema } from './form-values.js';
import { SCHEMAS, type ServiceDocument } from './service-document.js';

/** Bodies of the operation, by media type. */
type Content = Record<string, { schema: SchemaObject }>;

interface Parameter {
  name: string;
}

/** Adds the path to which visitors submit the form, with its values. */
export function addFormPath(
  service: ServiceDocument,
  parts: ContractParts,
  tenantId: string,
  { slug, name, schema }: ContractedForm,
): void {
  const own = nameOfSlug(slug, service.taken);
  const { path, method, operation } = service.operation('submitForm');
  const share = (type: string, value: SchemaObject) => parts.shareSchema(`${pascal(type)}FormValue`, value);
  const content = (operation.requestBody as { content: Content }).content;
  parts.schemas.set(`${own}Submission`, submissionSchema(schema, 'json', share));
  const fields = { $ref: `${SCHEMAS}${own}Submission` };
  const parameters = (operation.parameters ?? []) as unknown as Parameter[];
  parts.addOperation(path.replace('{tenant_id}', tenantId).replace('{form_id}', slug), method, {
    ...operation,
    operationId: `submit${own}Form`,
    summary: `${operation.summary}: ${name}`,
    description: `As _${operation.summary}_, for the form \`${slug}\`.`,
    parameters: parameters
      .filter((one) => one.name !== 'tenant_id' && one.name !== 'form_id')
      .map((one) => parts.shareParameter(one as unknown as Record<string, unknown>)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { fields }, required: ['fields'], additionalProperties: false },
        },
        ...encoded(content, 'application/x-www-form-urlencoded', submissionSchema(schema, 'urlencoded', share)),
        ...encoded(content, 'multipart/form-data', submissionSchema(schema, 'multipart', share)),
      },
    },
  });
}

/** The body as the service describes it, with the fields of the form. */
function encoded(content: Content, type: string, values: SchemaObject): Content {
  const { schema } = content[type] ?? { schema: {} };
  const properties = { ...(schema['properties'] as object), ...(values['properties'] as object) };
  return { [type]: { schema: { ...schema, ...values, properties } } };
}

import type { OpenAPIObject } from '@nestjs/swagger';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import { servedUnder } from '../../openapi/served-document.js';
import type { ContractForm } from '../contract-files.js';
import type { Contracted } from '../contracted.js';
import { ContractParts } from './contract-parts.js';
import { addFormPath } from './form-paths.js';
import { ServiceDocument } from './service-document.js';
import { TypedPaths } from './typed-paths.js';

/** The contract as an OpenAPI document: `document`, which describes the service, with what the tenant adds to it. */
export function openApiForm(document: OpenAPIObject): ContractForm {
  return {
    name: 'openapi',
    mediaType: 'application/json; charset=utf-8',
    write: (contracted, url) => write(document, contracted, url),
  };
}

function* write(document: OpenAPIObject, contracted: Contracted, url: string): SlicedWork<string> {
  const service = new ServiceDocument(document);
  const parts = new ContractParts(service.taken);
  const { tenantId, types, forms } = contracted;
  const paths = new TypedPaths(service, parts, tenantId, new Map(types.map((type) => [type.id, type])));
  for (const type of types) yield* paths.add(type);
  for (const form of forms) {
    addFormPath(service, parts, tenantId, form);
    yield;
  }
  return yield* stringifySliced(joined(servedUnder(document, url), parts));
}

function joined(document: OpenAPIObject, { paths, schemas, parameters }: ContractParts): object {
  const { components } = document;
  return {
    ...document,
    paths: { ...document.paths, ...Object.fromEntries(paths) },
    components: {
      ...components,
      schemas: { ...components?.schemas, ...Object.fromEntries(schemas) },
      ...(parameters.size > 0 && { parameters: { ...components?.parameters, ...Object.fromEntries(parameters) } }),
    },
  };
}

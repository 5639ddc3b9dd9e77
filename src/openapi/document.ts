import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '../errors/problem.dto.js';
import { problemExamples } from '../errors/problem-examples.js';
import { omitSlugsFromExamples } from './body-examples.js';
import { DESCRIPTION, TAGS } from './description.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Generates the OpenAPI document from the code. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Trivet')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setOpenAPIVersion('3.0.3')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key of the tenant.' });
  for (const { name, description } of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  document.components = { ...document.components, examples: problemExamples() };
  omitSlugsFromExamples(document);
  closeSchemas(document);
  orderParameters(document);
  return document;
}

/** Excludes undocumented properties from bodies and responses, unless a schema allows them itself. */
function closeSchemas({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('properties' in schema && schema.additionalProperties === undefined) schema.additionalProperties = false;
  }
}

/** Sorts the parameters: those of the path in its order, then those of the query, then headers. */
function orderParameters({ paths }: OpenAPIObject): void {
  for (const [path, item] of Object.entries(paths)) {
    const place = ({ in: where, name }: { in: string; name: string }) =>
      where === 'path' ? path.indexOf(`{${name}}`) : where === 'query' ? path.length : path.length + 1;
    for (const method of METHODS) {
      const parameters = item[method]?.parameters as { in: string; name: string }[] | undefined;
      parameters?.sort((a, b) => place(a) - place(b));
    }
  }
}

import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  properties?: Record<string, { example?: unknown }>;
}

/** Without a slug, the service generates a free one. The example of a secret is a placeholder, which is refused. */
const OMITTED = ['slug', 'secret'];

/** Gives bodies an example that can be tried again and again, beside what others have created. */
export function omitFromExamples({ paths, components }: OpenAPIObject): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item) as unknown[])) {
    const content = jsonContentOf(operation);
    const name = content?.schema?.$ref?.split('/').at(-1);
    const { properties } = (components?.schemas?.[name ?? ''] ?? {}) as Schema;
    if (!content || !properties || !OMITTED.some((property) => property in properties)) continue;
    content.example = Object.fromEntries(
      Object.entries(properties).flatMap(([property, { example }]) =>
        OMITTED.includes(property) || example === undefined ? [] : [[property, example]],
      ),
    );
  }
}

interface Content {
  schema?: { $ref?: string };
  example?: unknown;
}

function jsonContentOf(operation: unknown): Content | undefined {
  const { requestBody } = operation as { requestBody?: { content?: Record<string, Content> } };
  return requestBody?.content?.['application/json'];
}

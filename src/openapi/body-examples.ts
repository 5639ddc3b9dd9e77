import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  properties?: Record<string, { example?: unknown }>;
}

/**
 * Gives bodies that may contain a slug an example without one. The service then generates a free slug, so that the example can be tried
 * again and again, beside what others have created.
 */
export function omitSlugsFromExamples({ paths, components }: OpenAPIObject): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item) as unknown[])) {
    const content = jsonContentOf(operation);
    const name = content?.schema?.$ref?.split('/').at(-1);
    const { properties } = (components?.schemas?.[name ?? ''] ?? {}) as Schema;
    if (!content || !properties?.['slug']) continue;
    content.example = Object.fromEntries(
      Object.entries(properties).flatMap(([property, { example }]) =>
        property === 'slug' || example === undefined ? [] : [[property, example]],
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

import type { OpenAPIObject } from '@nestjs/swagger';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One operation of the document, with extensions such as `x-problem-codes`. */
export type DocumentedOperation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [extension: `x-${string}`]: unknown;
};

/** Returns the operations of the document, each with its path and method. */
export function operationsOf({ paths }: OpenAPIObject): {
  path: string;
  method: string;
  operation: DocumentedOperation;
}[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as DocumentedOperation | undefined;
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

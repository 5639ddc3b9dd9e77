import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem } from '../errors/problem.js';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './slug.js';
import type { IdPrefix } from '../modules/module-manifest.js';
import { parseId } from './type-id.js';

/** How a path names a resource: by the UUID of its public ID, or by its slug. */
export type IdOrSlug =
  { readonly id: string; readonly slug?: undefined } | { readonly id?: undefined; readonly slug: string };

/** A slug cannot look like a public ID, because it contains no `_`. Undefined for a text that is neither. */
export function parseIdOrSlug(prefix: IdPrefix, name: string): IdOrSlug | undefined {
  const id = parseId(prefix, name);
  if (id !== undefined) return { id };
  return name.length <= MAX_SLUG_LENGTH && SLUG_PATTERN.test(name) ? { slug: name } : undefined;
}

/** Throws 404 for a text that is neither an ID nor a slug, as for an unknown one. */
class IdOrSlugPipe implements PipeTransform<string, IdOrSlug> {
  constructor(
    private readonly prefix: IdPrefix,
    private readonly noun: string,
  ) {}

  transform(name: string): IdOrSlug {
    const parsed = parseIdOrSlug(this.prefix, name);
    if (!parsed) throw Problem.notFound(this.noun);
    return parsed;
  }
}

/** Injects the `IdOrSlug` in the path parameter `name`. Throws 404 for a text that is neither. */
export function IdOrSlugParam(name: string, prefix: IdPrefix, noun: string): ParameterDecorator {
  const read = Param(name, new IdOrSlugPipe(prefix, noun));
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    const description = `The ID or the slug of the ${noun}.`;
    ApiParam({ name, description, schema: { type: 'string' } })(target, method, descriptor);
    ProblemResponses('not_found')(target, method, descriptor);
  };
}

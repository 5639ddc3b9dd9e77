import { IdOrSlugParam } from '../ids/id-or-slug.js';

/** Injects the `IdOrSlug` of the content type in the path. */
export function TypeParam(): ParameterDecorator {
  return IdOrSlugParam('content_type_id', 'ct', 'content type');
}

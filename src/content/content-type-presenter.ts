import { formatId } from '../ids/type-id.js';
import type { ContentType } from './content-type.entity.js';
import type { ContentTypeDto, UpdatedContentTypeDto } from './content-types.dto.js';

/** As list, get and create show it. */
export function presentContentType(type: ContentType): ContentTypeDto {
  return { ...common(type), created_at: type.createdAt.toISOString() };
}

/** As update shows it: `updated_at` in place of `created_at`. */
export function presentUpdatedContentType(type: ContentType): UpdatedContentTypeDto {
  return { ...common(type), updated_at: type.updatedAt.toISOString() };
}

function common({ id, name, slug, fields }: ContentType) {
  return { id: formatId('ct', id), name, slug, fields };
}

import { mayRead } from '../access/may-read.js';
import type { Caller } from '../http/caller.js';
import { formatId } from '../ids/type-id.js';
import type { ContentType } from './content-type.entity.js';
import type { ContentTypeDto, SchemaPlanDto, UpdatedContentTypeDto } from './content-types.dto.js';
import type { PlanStep } from './schema-changes/schema-plan.js';

/** The form that list, get and create return. */
export function presentContentType(type: ContentType): ContentTypeDto {
  return { ...common(type), created_at: type.createdAt.toISOString() };
}

/** The form that update returns, with `updated_at` instead of `created_at`. */
export function presentUpdatedContentType(type: ContentType): UpdatedContentTypeDto {
  return { ...common(type), updated_at: type.updatedAt.toISOString() };
}

/** Both forms together. */
export function presentWholeContentType(type: ContentType): ContentTypeDto & UpdatedContentTypeDto {
  return { ...presentContentType(type), updated_at: type.updatedAt.toISOString() };
}

/** What a change of a content type would do, as a dry run shows it. The samples are entries, which the caller must be allowed to read. */
export function presentPlan(
  caller: Caller,
  { typeId, fromVersion, steps }: { typeId: string; fromVersion: number; steps: readonly PlanStep[] },
): SchemaPlanDto {
  const seesSamples = mayRead(caller, { area: 'content', typeId });
  return {
    from_version: fromVersion,
    steps: steps.map(({ op, field, class: kind, entries, failing, samples }) => ({
      op,
      field,
      class: kind,
      entries,
      failing,
      samples: (seesSamples ? samples : []).map(({ id, message }) => ({ entry_id: formatId('ent', id), message })),
    })),
  };
}

/** A content type's row in a list: `fields` is JSON text, `createdAt` is ISO 8601. */
export interface ContentTypeRow {
  id: string;
  name: string;
  slug: string;
  fields: string;
  createdAt: string;
}

/** Same as `presentContentType`, as JSON text. The row's JSON is passed through unchanged. */
export function contentTypeText({ id, name, slug, fields, createdAt }: ContentTypeRow): string {
  const head = `{"id":"${formatId('ct', id)}","name":${JSON.stringify(name)},"slug":"${slug}"`;
  return `${head},"fields":${fields},"created_at":"${createdAt}"}`;
}

/** `public` only if it was ever sent, `language` and `preview_url` only if the type has one. */
function common({ id, name, slug, fields, public: isPublic, language, previewUrl }: ContentType) {
  return {
    id: formatId('ct', id),
    name,
    slug,
    fields,
    ...(isPublic !== null && { public: isPublic }),
    ...(language !== null && { language }),
    ...(previewUrl !== null && { preview_url: previewUrl }),
  };
}

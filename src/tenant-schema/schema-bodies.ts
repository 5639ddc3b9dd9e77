import { type CreateContentTypeDto, UpdateContentTypeDto } from '../content/content-types.dto.js';
import { type CreateFormDto, UpdateFormDto } from '../forms/forms.dto.js';
import type { ValueError } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { type CreateWebhookDto, UpdateWebhookDto } from '../webhooks/webhooks.dto.js';
import { type DocumentForm, type DocumentType, type DocumentWebhook, isSameValue, omit } from './schema-document.js';
import type { ItemChange } from './schema-difference.js';

/** What each body needs of the request, with the errors of the whole document. */
export type SentDocument = Omit<CheckedBody<unknown>, 'dto'>;

/** The errors of the document inside an item, as those of a request with the item alone. */
function errorsIn({ errors }: SentDocument, path: string): ValueError[] {
  return errors
    .filter((error) => error.path.startsWith(`${path}.`))
    .map((error) => ({ ...error, path: error.path.slice(path.length + 1) }));
}

function bodyOf<Dto>(dto: Dto, sent: SentDocument, path: string): CheckedBody<Dto> {
  return { ...sent, dto, errors: errorsIn(sent, path) };
}

export function typeCreation(
  { path, wanted }: ItemChange<unknown, DocumentType>,
  sent: SentDocument,
): CheckedBody<CreateContentTypeDto> {
  const fields = wanted.fields as FieldDefinition[];
  return bodyOf({ ...wanted, fields }, sent, path);
}

/** Sends only the properties that differ. What the document does not set is removed. */
export function typeUpdate(
  { path, is, wanted }: ItemChange<unknown, DocumentType>,
  sent: SentDocument,
): CheckedBody<UpdateContentTypeDto> {
  const dto = Object.assign(new UpdateContentTypeDto(), {
    ...differing(is, wanted, ['name', 'slug', 'fields']),
    ...(is?.public !== wanted.public && { public: wanted.public ?? false }),
    ...(is?.language !== wanted.language && { language: wanted.language ?? null }),
    ...(is?.preview_url !== wanted.preview_url && { preview_url: wanted.preview_url ?? null }),
  });
  return bodyOf(dto, sent, path);
}

export function formCreation(
  { path, wanted }: ItemChange<unknown, DocumentForm>,
  sent: SentDocument,
): CheckedBody<CreateFormDto> {
  return bodyOf(wanted, sent, path);
}

export function formUpdate(
  { path, is, wanted }: ItemChange<unknown, DocumentForm>,
  sent: SentDocument,
): CheckedBody<UpdateFormDto> {
  const removed = Object.keys(is?.settings ?? {}).map((name) => [name, null] as const);
  const dto = Object.assign(new UpdateFormDto(), {
    ...differing(is, wanted, ['name', 'slug', 'fields']),
    ...(is?.notify_email !== wanted.notify_email && { notify_email: wanted.notify_email ?? null }),
    ...(!isSameValue(is?.settings, wanted.settings) && {
      settings: { ...Object.fromEntries(removed), ...wanted.settings },
    }),
  });
  return bodyOf(dto, sent, path);
}

export function webhookCreation(
  { path, wanted }: ItemChange<unknown, DocumentWebhook>,
  sent: SentDocument,
): CheckedBody<CreateWebhookDto> {
  return bodyOf(omit(wanted, 'active') as CreateWebhookDto, sent, path);
}

const OPTIONS = ['description', 'filters', 'payload', 'ordered', 'max_concurrency'] as const;

export function webhookUpdate(
  { path, is, wanted }: ItemChange<unknown, DocumentWebhook>,
  sent: SentDocument,
): CheckedBody<UpdateWebhookDto> {
  const options = OPTIONS.filter((name) => !isSameValue(is?.[name], wanted[name]));
  const dto = Object.assign(new UpdateWebhookDto(), {
    ...differing(is, wanted, ['events']),
    ...Object.fromEntries(options.map((name) => [name, wanted[name] ?? null])),
    ...(is?.active !== wanted.active && { active: wanted.active !== false }),
  });
  return bodyOf(dto, sent, path);
}

function differing<Item extends object>(
  is: Item | undefined,
  wanted: Item,
  names: readonly (keyof Item)[],
): Partial<Item> {
  const changed = names.filter((name) => !isSameValue(is?.[name], wanted[name]));
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as Partial<Item>;
}

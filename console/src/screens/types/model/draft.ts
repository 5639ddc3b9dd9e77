import type { DefinedBlock, DefinedField, DefinedType, TypeBody } from '../../../api/type-changes';

/** A field while the type is edited. */
export interface DraftField {
  /** The same from the beginning to the end, whatever its name is. */
  readonly key: string;
  /** The name that it has in the stored type. A new field has none. */
  readonly was?: string;
  /** All but the definitions inside. */
  readonly definition: DefinedField;
  readonly fields?: readonly DraftField[];
  readonly blocks?: readonly DraftBlock[];
}

export interface DraftBlock {
  readonly key: string;
  readonly name: string;
  readonly label?: string;
  readonly fields: readonly DraftField[];
}

export interface TypeDraft {
  readonly name: string;
  readonly slug: string;
  readonly isPublic: boolean;
  /** Empty: none. */
  readonly language: string;
  readonly previewUrl: string;
  readonly fields: readonly DraftField[];
}

let lastKey = 0;

export function newKey(): string {
  return String(++lastKey);
}

export function draftOf(type: Omit<DefinedType, 'id'>): TypeDraft {
  return {
    name: type.name,
    slug: type.slug,
    isPublic: type.public ?? false,
    language: type.language ?? '',
    previewUrl: type.preview_url ?? '',
    fields: type.fields.map((field) => draftField(field)),
  };
}

/** A template, as if none of it were stored. */
export function asNew(fields: readonly DraftField[]): readonly DraftField[] {
  return fields.map(({ key, definition, ...inner }) => ({
    key,
    definition,
    ...(inner.fields && { fields: asNew(inner.fields) }),
    ...(inner.blocks && { blocks: inner.blocks.map((block) => ({ ...block, fields: asNew(block.fields) })) }),
  }));
}

function draftField({ fields, blocks, ...definition }: DefinedField): DraftField {
  return {
    key: newKey(),
    was: definition.name,
    definition,
    ...(fields && { fields: fields.map((field) => draftField(field)) }),
    ...(blocks && { blocks: blocks.map((block) => draftBlock(block)) }),
  };
}

function draftBlock({ fields, ...block }: DefinedBlock): DraftBlock {
  return { ...block, key: newKey(), fields: fields.map((field) => draftField(field)) };
}

/** The definitions, without what only a change says. */
function definitionsOf(fields: readonly DraftField[]): readonly DefinedField[] {
  return fields.map((field) => definitionOf(field, false));
}

/** As they are sent: a field with another name than before says which it had. */
function sentDefinitions(fields: readonly DraftField[]): readonly DefinedField[] {
  return fields.map((field) => definitionOf(field, true));
}

function definitionOf({ definition, was, fields, blocks }: DraftField, isSent: boolean): DefinedField {
  const inside = (inner: readonly DraftField[]) => inner.map((field) => definitionOf(field, isSent));
  return {
    ...definition,
    ...(isSent && was !== undefined && was !== definition.name && { renamed_from: was }),
    ...(fields && { fields: inside(fields) }),
    ...(blocks && { blocks: blocks.map(({ key: _, ...block }) => ({ ...block, fields: inside(block.fields) })) }),
  };
}

/** The whole type, as creating it sends it. */
export function createBody({ name, slug, fields, isPublic, language, previewUrl }: TypeDraft): TypeBody {
  return {
    name: name.trim(),
    ...(slug.trim() !== '' && { slug: slug.trim() }),
    fields: definitionsOf(fields),
    ...(isPublic && { public: true }),
    ...(language !== '' && { language }),
    ...(previewUrl.trim() !== '' && { preview_url: previewUrl.trim() }),
  };
}

/** What is different from the stored type. */
export function updateBody(draft: TypeDraft, stored: TypeDraft): TypeBody {
  const fields = sentDefinitions(draft.fields);
  return {
    ...(draft.name.trim() !== stored.name && { name: draft.name.trim() }),
    ...(draft.slug.trim() !== stored.slug && { slug: draft.slug.trim() }),
    ...(!isSame(fields, sentDefinitions(stored.fields)) && { fields }),
    ...(draft.isPublic !== stored.isPublic && { public: draft.isPublic }),
    ...(draft.language !== stored.language && { language: draft.language || null }),
    ...(draft.previewUrl.trim() !== stored.previewUrl && { preview_url: draft.previewUrl.trim() || null }),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function labelOfField({ definition: { label, name } }: DraftField): string {
  return label?.trim() || name;
}

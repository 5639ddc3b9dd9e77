import { request } from './request';

/** A field of a content type, with the attributes that the console reads. */
export interface FieldDefinition {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** The tab of the form on which the field is. */
  readonly group?: string;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly multiple?: boolean;
  /** Whether each language has a value of its own. */
  readonly localized?: boolean;
  /** The languages other than the default one that need a value too. */
  readonly required_in?: readonly string[];
  /** Of a number, or of the length of a text. */
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly string[];
  readonly content_type?: string;
  readonly content_types?: readonly string[];
  /** The fields of a group. */
  readonly fields?: readonly FieldDefinition[];
  /** The kinds of items of a list of blocks. */
  readonly blocks?: readonly BlockDefinition[];
}

export interface BlockDefinition {
  readonly name: string;
  readonly label?: string;
  readonly fields: readonly FieldDefinition[];
}

export interface ContentType {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly fields: readonly FieldDefinition[];
  /** Where a site shows an entry, with `{token}` and fields in braces. Lists of content types do not have it. */
  readonly preview_url?: string;
}

interface TypePage {
  readonly data: readonly ContentType[];
  readonly meta: { readonly next_cursor: string | null };
}

/** Pages that are read at most, of 100 content types each. */
const MAX_PAGES = 20;

export function typesPath(tenantId: string): string {
  return `/v1/content/${encodeURIComponent(tenantId)}/types`;
}

/** All content types that the session may see, by their names. */
export async function listTypes(tenantId: string, signal?: AbortSignal): Promise<readonly ContentType[]> {
  const types: ContentType[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ cursor, per_page: '100' });
    const answer: TypePage = await request<TypePage>('GET', `${typesPath(tenantId)}?${query}`, { signal });
    types.push(...answer.data);
    cursor = answer.meta.next_cursor;
  }
  return types.sort((one, other) => one.name.localeCompare(other.name));
}

/** Finds a content type by its ID or slug. */
export async function getType(tenantId: string, type: string, signal?: AbortSignal): Promise<ContentType> {
  const path = `${typesPath(tenantId)}/${encodeURIComponent(type)}`;
  return (await request<{ data: ContentType }>('GET', path, { signal })).data;
}

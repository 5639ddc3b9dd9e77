/** What an export of Contentful has, as far as it is read. */
export interface Link {
  sys: { type: string; linkType: string; id: string };
}

export interface ContentfulLocale {
  code: string;
  name: string;
  default: boolean;
  fallbackCode: string | null;
}

interface Validation {
  linkContentType?: string[] | string;
  in?: unknown[];
}

export interface ContentfulField {
  id: string;
  apiName?: string;
  name: string;
  type: string;
  linkType?: string;
  localized?: boolean;
  required?: boolean;
  omitted?: boolean;
  validations?: Validation[];
  items?: { type: string; linkType?: string; validations?: Validation[] };
}

export interface ContentfulType {
  sys: { id: string };
  name: string;
  displayField?: string;
  fields: ContentfulField[];
}

interface Sys {
  id: string;
  space?: Link;
  contentType?: Link;
  version?: number;
  publishedVersion?: number;
  archivedAt?: string;
  archivedVersion?: number;
}

export interface ContentfulEntry {
  sys: Sys;
  metadata?: { tags?: unknown[]; concepts?: unknown[] };
  fields?: Record<string, Record<string, unknown>>;
}

export interface ContentfulAsset {
  sys: Sys;
  fields?: {
    title?: Record<string, string>;
    description?: Record<string, string>;
    file?: Record<string, { url?: string; upload?: string; fileName?: string }>;
  };
}

export function isLink(value: unknown): value is Link {
  const { sys } = (value ?? {}) as Partial<Link>;
  return sys?.type === 'Link' && typeof sys.id === 'string';
}

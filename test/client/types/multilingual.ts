/* eslint-disable */
/*
 * The content types and forms of the tenant ten_acme, for @trivet/client. Do not change this file: Trivet writes it
 * (GET /v1/contract/ten_acme/types.ts).
 */

/** The ID of an entry of a content type. The mark exists in types only: the value is a string. */
export type EntryId<Type extends string> = string & { readonly '~entry'?: Type };

/** The ID of an entry that cannot be deleted as long as it is referred to. */
export type KeptEntryId<Type extends string> = EntryId<Type> & { readonly '~kept'?: true };

/** A picture or another file. What is optional is there with `view: 'full'`, or if the field is included. */
export interface MediaValue {
  url: string;
  alt: string;
  id?: string;
  mime_type?: string;
  width?: number;
  height?: number;
  variants?: { width: number; url: string }[];
}

/** A file that was uploaded, or the URL of another one. */
export type MediaInput = { id: string; alt?: string } | { url: string; alt: string };

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A file that a visitor sends: a File or a Blob. */
export interface SentFile {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Page */
export interface Page {
  title: string;
  slug?: string;
  kind: 'news' | 'blog';
  tags?: string[];
  cover?: MediaValue;
  seo?: {
    title: string;
  };
  translator?: EntryId<'person'>;
  author: KeptEntryId<'person'>;
  price?: number;
}

/** What a new entry of Page takes. */
export interface PageValues {
  title: string;
  slug?: string | null;
  kind?: 'news' | 'blog';
  tags?: string[] | null;
  cover?: MediaInput | null;
  seo?: {
    title: string;
  } | null;
  translator?: EntryId<'person'> | null;
  author: EntryId<'person'>;
  price?: number | null;
}

/** Person */
export interface Person {
  name: string;
  bio: string;
}

/** What a new entry of Person takes. */
export interface PersonValues {
  name: string;
  bio: string;
}

/** Tag */
export interface Tag {
  name: string;
}

/** What a new entry of Tag takes. */
export interface TagValues {
  name: string;
}

/** The content types and forms of the tenant: `createClient<Schema>(...)`. */
export interface Schema {
  types: {
    /** Page */
    'page': {
      fields: Page;
      values: PageValues;
      filters: {
        title: { value: string; text: true };
        slug: { value: string; text: true };
        kind: { value: 'news' | 'blog'; text: true };
        tags: { value: string; text: true };
        cover: { value: string; text: true };
        translator: { value: string; reference: 'person' };
        author: { value: string; reference: 'person' };
        price: { value: number };
        'seo.title': { value: string; text: true };
      };
      sort: 'title' | 'slug' | 'kind' | 'tags' | 'translator' | 'author' | 'price' | 'seo.title';
      unique: 'slug';
      references: {
        translator: 'person';
        author: 'person';
      };
      media: 'cover';
      localized: 'title' | 'slug' | 'kind' | 'tags' | 'cover' | 'seo' | 'translator';
    };
    /** Person */
    'person': {
      fields: Person;
      values: PersonValues;
      filters: {
        name: { value: string; text: true };
        bio: { value: string; text: true };
      };
      sort: 'name' | 'bio';
      unique: never;
      references: {};
      media: never;
      localized: 'bio';
    };
    /** Tag */
    'tag': {
      fields: Tag;
      values: TagValues;
      filters: {
        name: { value: string; text: true };
      };
      sort: 'name';
      unique: never;
      references: {};
      media: never;
    };
  };
  forms: {};
  /** The locales of the tenant. */
  locales: {
    codes: 'de' | 'de-CH' | 'en' | 'fr';
    default: 'en';
    /** Those whose fallbacks end at the default locale. */
    completed: 'de' | 'de-CH' | 'en';
  };
}

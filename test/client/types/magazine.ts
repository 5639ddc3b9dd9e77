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

/** Author */
export interface Author {
  name: string;
  company?: EntryId<'company'>;
  photo?: MediaValue;
}

/** What a new entry of Author takes. */
export interface AuthorValues {
  name: string;
  company?: EntryId<'company'> | null;
  photo?: MediaInput | null;
}

/** Company */
export interface Company {
  name: string;
  parent?: EntryId<'company'>;
}

/** What a new entry of Company takes. */
export interface CompanyValues {
  name: string;
  parent?: EntryId<'company'> | null;
}

/** Post */
export interface Post {
  /**
   * Title
   * Shown in lists.
   * Be short.
   */
  title: string;
  slug?: string;
  published_on?: string;
  price?: number;
  kind: 'news' | 'blog';
  author: KeptEntryId<'author'>;
  editor?: EntryId<'author'>;
  related?: EntryId<'post' | 'author'>[];
  extra?: Json;
  tags?: string[];
  cover?: MediaValue;
  seo?: {
    title?: string;
    reviewer?: EntryId<'author'>;
  };
  sections?: (
    | {
        block: 'quote';
        text: string;
        author?: EntryId<'author'>;
      }
    | {
        block: 'gallery';
        images?: MediaValue[];
        author: KeptEntryId<'company'>;
      }
    | {
        block: 'rule';
      }
  )[];
}

/** What a new entry of Post takes. */
export interface PostValues {
  /**
   * Title
   * Shown in lists.
   * Be short.
   */
  title: string;
  slug?: string | null;
  published_on?: string | null;
  price?: number | null;
  kind?: 'news' | 'blog';
  author: EntryId<'author'>;
  editor?: EntryId<'author'> | null;
  related?: EntryId<'post' | 'author'>[] | null;
  extra?: unknown;
  tags?: string[] | null;
  cover?: MediaInput | null;
  seo?: {
    title?: string | null;
    reviewer?: EntryId<'author'> | null;
  } | null;
  sections?: (
    | {
        block: 'quote';
        text: string;
        author?: EntryId<'author'> | null;
      }
    | {
        block: 'gallery';
        images?: MediaInput[] | null;
        author: EntryId<'company'>;
      }
    | {
        block: 'rule';
      }
  )[] | null;
}

/**
 * Contact
 * What a submission of this form takes.
 */
export interface ContactSubmission {
  email: string;
  message?: string | null;
  topic?: 'a' | 'b' | null;
  'first-name'?: string | null;
  cv?: SentFile | null;
  ok?: 'true' | 'false' | null;
}

/** The content types and forms of the tenant: `createClient<Schema>(...)`. */
export interface Schema {
  types: {
    /** Author */
    'author': {
      fields: Author;
      values: AuthorValues;
      filters: {
        name: { value: string; text: true };
        company: { value: string; reference: 'company' };
        photo: { value: string; text: true };
      };
      sort: 'name' | 'company';
      unique: 'name';
      references: {
        company: 'company';
      };
      media: 'photo';
    };
    /** Company */
    'company': {
      fields: Company;
      values: CompanyValues;
      filters: {
        name: { value: string; text: true };
        parent: { value: string; reference: 'company' };
      };
      sort: 'name' | 'parent';
      unique: never;
      references: {
        parent: 'company';
      };
      media: never;
    };
    /** Post */
    'post': {
      fields: Post;
      values: PostValues;
      filters: {
        title: { value: string; text: true };
        slug: { value: string; text: true };
        published_on: { value: string };
        price: { value: number };
        kind: { value: 'news' | 'blog'; text: true };
        author: { value: string; reference: 'author' };
        editor: { value: string; reference: 'author' };
        related: { value: string; reference: 'post' | 'author' };
        tags: { value: string; text: true };
        cover: { value: string; text: true };
        'seo.title': { value: string; text: true };
        'seo.reviewer': { value: string; reference: 'author' };
      };
      sort:
        | 'title'
        | 'slug'
        | 'published_on'
        | 'price'
        | 'kind'
        | 'author'
        | 'editor'
        | 'related'
        | 'tags'
        | 'seo.title'
        | 'seo.reviewer';
      unique: 'slug';
      references: {
        author: 'author';
        editor: 'author';
        related: 'post' | 'author';
        'seo.reviewer': 'author';
        'sections.author': 'author' | 'company';
      };
      media: 'cover' | 'sections.images';
    };
  };
  forms: {
    /** Contact */
    'contact': ContactSubmission;
  };
}

/* eslint-disable */
/*
 * The content types and forms of the tenant ten_demo, for @trivet/client. Do not change this file: Trivet writes it
 * (GET /v1/contract/ten_demo/types.ts).
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

/** Article */
export interface MagazineArticle {
  /** Title */
  title: string;
  slug: string;
  /** One sentence under the title. */
  standfirst?: string;
  body: string;
  cover?: MediaValue;
  desk: KeptEntryId<'magazine-desk'>;
  kind: 'essay' | 'explainer' | 'how-to';
  tags?: string[];
  words?: number;
  published_on?: string;
  /** What stands below the text. */
  extras?: (
    | {
        block: 'quote';
        text: string;
      }
    | {
        block: 'picture';
        image: MediaValue;
        caption?: string;
      }
    | {
        block: 'related';
        article?: EntryId<'magazine-article'>;
      }
  )[];
}

/** What a new entry of MagazineArticle takes. */
export interface MagazineArticleValues {
  /** Title */
  title: string;
  slug: string;
  /** One sentence under the title. */
  standfirst?: string | null;
  body: string;
  cover?: MediaInput | null;
  desk: EntryId<'magazine-desk'>;
  kind: 'essay' | 'explainer' | 'how-to';
  tags?: string[] | null;
  words?: number | null;
  published_on?: string | null;
  /** What stands below the text. */
  extras?: (
    | {
        block: 'quote';
        text: string;
      }
    | {
        block: 'picture';
        image: MediaInput;
        caption?: string | null;
      }
    | {
        block: 'related';
        article?: EntryId<'magazine-article'> | null;
      }
  )[] | null;
}

/** Desk */
export interface MagazineDesk {
  name: string;
  slug: string;
  about?: string;
}

/** What a new entry of MagazineDesk takes. */
export interface MagazineDeskValues {
  name: string;
  slug: string;
  about?: string | null;
}

/** Issue */
export interface MagazineIssue {
  title: string;
  slug: string;
  articles?: EntryId<'magazine-article'>[];
}

/** What a new entry of MagazineIssue takes. */
export interface MagazineIssueValues {
  title: string;
  slug: string;
  articles?: EntryId<'magazine-article'>[] | null;
}

/** Page */
export interface MagazinePage {
  slug: string;
  seo?: {
    title?: string;
  };
  sections?: (
    | {
        block: 'text';
        body: string;
      }
    | {
        block: 'teaser';
        article?: EntryId<'magazine-article'>;
      }
    | {
        block: 'rule';
      }
  )[];
}

/** What a new entry of MagazinePage takes. */
export interface MagazinePageValues {
  slug: string;
  seo?: {
    title?: string | null;
  } | null;
  sections?: (
    | {
        block: 'text';
        body: string;
      }
    | {
        block: 'teaser';
        article?: EntryId<'magazine-article'> | null;
      }
    | {
        block: 'rule';
      }
  )[] | null;
}

/** Tour */
export interface MagazineTour {
  title: string;
  slug: string;
  about?: string;
  price?: number;
}

/** What a new entry of MagazineTour takes. */
export interface MagazineTourValues {
  title: string;
  slug: string;
  about?: string | null;
  price?: number | null;
}

/**
 * Letters to the magazine
 * What a submission of this form takes.
 */
export interface MagazineLettersSubmission {
  /** Your email address */
  email: string;
  desk: 'coast' | 'kitchen' | 'road' | 'sky' | 'paper';
  letter: string;
  /** You may print this */
  may_print?: 'true' | 'false' | null;
}

/** The content types and forms of the tenant: `createClient<Schema>(...)`. */
export interface Schema {
  types: {
    /** Article */
    'magazine-article': {
      fields: MagazineArticle;
      values: MagazineArticleValues;
      filters: {
        title: { value: string; text: true };
        slug: { value: string; text: true };
        standfirst: { value: string; text: true };
        body: { value: string; text: true };
        cover: { value: string; text: true };
        desk: { value: string; reference: 'magazine-desk' };
        kind: { value: 'essay' | 'explainer' | 'how-to'; text: true };
        tags: { value: string; text: true };
        words: { value: number };
        published_on: { value: string };
      };
      sort: 'title' | 'slug' | 'standfirst' | 'body' | 'desk' | 'kind' | 'tags' | 'words' | 'published_on';
      unique: 'slug';
      references: {
        desk: 'magazine-desk';
        'extras.article': 'magazine-article';
      };
      media: 'cover' | 'extras.image';
    };
    /** Desk */
    'magazine-desk': {
      fields: MagazineDesk;
      values: MagazineDeskValues;
      filters: {
        name: { value: string; text: true };
        slug: { value: string; text: true };
        about: { value: string; text: true };
      };
      sort: 'name' | 'slug' | 'about';
      unique: 'slug';
      references: {};
      media: never;
    };
    /** Issue */
    'magazine-issue': {
      fields: MagazineIssue;
      values: MagazineIssueValues;
      filters: {
        title: { value: string; text: true };
        slug: { value: string; text: true };
        articles: { value: string; reference: 'magazine-article' };
      };
      sort: 'title' | 'slug' | 'articles';
      unique: 'slug';
      references: {
        articles: 'magazine-article';
      };
      media: never;
    };
    /** Page */
    'magazine-page': {
      fields: MagazinePage;
      values: MagazinePageValues;
      filters: {
        slug: { value: string; text: true };
        'seo.title': { value: string; text: true };
      };
      sort: 'slug' | 'seo.title';
      unique: 'slug';
      references: {
        'sections.article': 'magazine-article';
      };
      media: never;
    };
    /** Tour */
    'magazine-tour': {
      fields: MagazineTour;
      values: MagazineTourValues;
      filters: {
        title: { value: string; text: true };
        slug: { value: string; text: true };
        about: { value: string; text: true };
        price: { value: number };
      };
      sort: 'title' | 'slug' | 'about' | 'price';
      unique: 'slug';
      references: {};
      media: never;
      localized: 'title' | 'slug' | 'about';
    };
  };
  forms: {
    /** Letters to the magazine */
    'magazine-letters': MagazineLettersSubmission;
  };
  /** The locales of the tenant. */
  locales: {
    codes: 'de' | 'de-CH' | 'en' | 'fr';
    default: 'en';
    /** Those whose fallbacks end at the default locale. */
    completed: 'de' | 'de-CH' | 'en';
  };
}

export const DESKS: readonly { readonly slug: string; readonly name: string; readonly about: string }[];

export interface DemoArticle {
  /** The slug of a desk. */
  readonly desk: string;
  readonly slug: string;
  readonly body: string;
  /** `2025-01-31` */
  readonly published_on: string;
}

export const ARTICLES: readonly DemoArticle[];

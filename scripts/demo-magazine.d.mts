import type { DemoArticle } from './demo-articles.mjs';

interface DemoField {
  readonly name: string;
  readonly type: string;
}

export const TYPES: readonly { readonly slug: string; readonly name: string; readonly fields: readonly DemoField[] }[];

export const ISSUES: readonly { readonly title: string; readonly slug: string; readonly articles: readonly string[] }[];

export function wordsOf(article: Pick<DemoArticle, 'body'>): number;

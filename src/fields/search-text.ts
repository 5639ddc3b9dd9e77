/** What a text is in its record. A match in the title counts most, then one in a heading. */
export type SearchRole = 'title' | 'heading' | 'body';

export interface SearchSpan {
  text: string;
  role: SearchRole;
}

/** The text of one value, in parts. A phrase may begin in one part and end in the next, but it never spans two lines. */
export type SearchLine = readonly SearchSpan[];

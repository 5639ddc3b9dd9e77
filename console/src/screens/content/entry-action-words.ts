/** What is done with entries that were selected, by the name of its button. */
export type EntryAction = 'Publish' | 'Unpublish' | 'Delete';

/** `3 entries`. */
export function countOf({ length }: { readonly length: number }): string {
  return `${length.toLocaleString()} ${length === 1 ? 'entry' : 'entries'}`;
}

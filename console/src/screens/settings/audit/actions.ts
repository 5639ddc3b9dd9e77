interface Action {
  readonly name: string;
  /** In the past, after who did it: `published the entry`. */
  readonly words: string;
}

/** What an audit record may say that was done, in the order of the list to choose from. Extensions may have others. */
export const ACTIONS: readonly Action[] = [
  { name: 'created', words: 'created' },
  { name: 'updated', words: 'changed' },
  { name: 'deleted', words: 'deleted' },
  { name: 'published', words: 'published' },
  { name: 'unpublished', words: 'unpublished' },
  { name: 'restored', words: 'restored an older version of' },
  { name: 'draft_saved', words: 'saved a draft of' },
  { name: 'draft_discarded', words: 'discarded the draft of' },
  { name: 'review_requested', words: 'asked for review of' },
  { name: 'review_taken_back', words: 'no longer asks for review of' },
  { name: 'scheduled', words: 'scheduled' },
  { name: 'unscheduled', words: 'removed the schedule of' },
  { name: 'preview_link_created', words: 'made a preview link of' },
  { name: 'preview_links_ended', words: 'ended the preview links of' },
  { name: 'uploaded', words: 'uploaded' },
  { name: 'released', words: 'took out of spam' },
  { name: 'marked_spam', words: 'marked as spam' },
  { name: 'tested', words: 'sent a test to' },
  { name: 'redelivered', words: 'sent again to' },
  { name: 'replayed', words: 'replayed events to' },
  { name: 'invited', words: 'sent the invitation again to' },
  { name: 'joined', words: 'joined as' },
  { name: 'revoked', words: 'revoked' },
  { name: 'adopted', words: 'adopted' },
  { name: 'requested', words: 'asked for' },
  { name: 'purged', words: 'deleted for good values of' },
];

/** `published`, or the name itself of an action that this page does not know. */
export function wordsFor(action: string): string {
  return ACTIONS.find(({ name }) => name === action)?.words ?? actionTitle(action).toLowerCase();
}

/** What the kind of a resource is called: `content type` for `content_type`. */
export function kindInWords(type: string): string {
  return type === 'locales' ? 'languages' : type.replaceAll('_', ' ');
}

/** `review_requested` → `Review requested` */
export function actionTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

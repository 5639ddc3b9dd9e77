/** The tours of `npm run demo`: content in several languages, and in some of them not yet. */

/** A locale falls back to the default one unless it names another. */
export const LANGUAGES = [
  { code: 'de', name: 'Deutsch' },
  { code: 'de-CH', name: 'Deutsch (Schweiz)', fallback: 'de' },
  { code: 'fr', name: 'Français', fallback: null },
];

/** Each language has a slug of its own. The price is the same in all of them. */
export const TOUR_FIELDS = [
  { name: 'title', type: 'text', required: true, localized: true },
  { name: 'slug', type: 'text', required: true, unique: true, pattern: '^[a-z-]+$', localized: true },
  { name: 'about', type: 'text', localized: true },
  { name: 'price', type: 'integer', min: 0 },
];

export const TOURS = [
  {
    title: {
      en: 'On foot to the lighthouse',
      de: 'Zu Fuß zum Leuchtturm',
      'de-CH': 'Zu Fuss zum Leuchtturm',
      fr: 'À pied au phare',
    },
    slug: { en: 'lighthouse', de: 'leuchtturm', fr: 'phare' },
    about: { en: 'Three hours, and back before the tide.', de: 'Drei Stunden, und zurück vor der Flut.' },
    price: 12,
  },
  {
    title: { en: 'A morning with the baker', de: 'Ein Morgen beim Bäcker' },
    slug: { en: 'baker', de: 'baecker' },
    about: { en: 'It begins at four.', de: 'Er beginnt um vier.' },
    price: 20,
  },
  {
    title: { en: 'Charts by lamplight' },
    slug: { en: 'charts' },
    about: { en: 'Bring your glasses.' },
    price: 8,
  },
];

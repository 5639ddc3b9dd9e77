/** The kind of scheduled jobs that change content types after the locales of their tenant. */
export const FOLLOW_LOCALES = 'follow_locales';

/** A tenant has one such job. */
export const FOLLOW_KEY = '00000000-0000-0000-0000-000000000001';

/** The kind of scheduled jobs that delete the values of a removed locale. Its keys are the IDs of purges. */
export const PURGE_LOCALE = 'purge_locale';

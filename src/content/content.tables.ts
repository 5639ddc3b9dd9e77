import { ContentType } from './content-type.entity.js';
import { ContentTypeMoves } from './schema-changes/content-type-moves.entity.js';
import { SchemaChangeRow } from './schema-changes/online/schema-change.entity.js';
import { EntryDraft } from './drafts/draft.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords, SearchWord } from './entries/entry.entity.js';
import { EntryLocaleWords } from './words/locale-words.entity.js';
import { LocalePurge } from './locales/purges/locale-purge.entity.js';
import { TenantLocales } from './locales/tenant-locales.entity.js';
import { EntryPresence } from './presence/presence.entity.js';
import { EntrySchedule } from './schedules/schedule.entity.js';
import { Editors1763000012000 } from './migrations/1763000012000-editors.js';
import { Content1763000001000 } from './migrations/1763000001000-content.js';
import { Presence1763000014000 } from './migrations/1763000014000-presence.js';
import { Locales1763000017000 } from './migrations/1763000017000-locales.js';
import { LocaleWords1763000018000 } from './migrations/1763000018000-locale-words.js';
import { LocalePurges1763000020100 } from './migrations/1763000020100-locale-purges.js';
import { ScheduledLocales1763000020000 } from './migrations/1763000020000-scheduled-locales.js';

export const entities = [
  ContentType,
  ContentTypeMoves,
  Entry,
  EntryCount,
  EntryDraft,
  EntryLocaleWords,
  EntryPresence,
  EntrySchedule,
  EntryUnique,
  EntryValue,
  EntryWords,
  LocalePurge,
  SchemaChangeRow,
  SearchWord,
  TenantLocales,
];

export const migrations = [
  Content1763000001000,
  Editors1763000012000,
  Presence1763000014000,
  Locales1763000017000,
  LocaleWords1763000018000,
  ScheduledLocales1763000020000,
  LocalePurges1763000020100,
];

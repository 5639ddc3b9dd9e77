import { ContentType } from './content-type.entity.js';
import { PublicTypes1763000030000 } from './migrations/1763000030000-public-types.js';
import { SearchDocuments1763000040000 } from './migrations/1763000040000-search-documents.js';
import { TypeLanguages1763000050000 } from './migrations/1763000050000-type-languages.js';
import { EntryVersions1763000061000 } from './migrations/1763000061000-entry-versions.js';
import { Drafts1763000080000 } from './migrations/1763000080000-drafts.js';
import { Schedules1763000091000 } from './migrations/1763000091000-schedules.js';
import { EntryDraft } from './drafts/draft.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords } from './entries/entry.entity.js';
import { EntrySchedule } from './schedules/schedule.entity.js';

export const entities = [
  ContentType,
  Entry,
  EntryCount,
  EntryDraft,
  EntrySchedule,
  EntryUnique,
  EntryValue,
  EntryWords,
];

export const migrations = [
  PublicTypes1763000030000,
  SearchDocuments1763000040000,
  TypeLanguages1763000050000,
  EntryVersions1763000061000,
  Drafts1763000080000,
  Schedules1763000091000,
];

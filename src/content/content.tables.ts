import { ContentType } from './content-type.entity.js';
import { ContentTypeMoves } from './schema-changes/content-type-moves.entity.js';
import { SchemaChangeRow } from './schema-changes/online/schema-change.entity.js';
import { EntryDraft } from './drafts/draft.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords, SearchWord } from './entries/entry.entity.js';
import { EntrySchedule } from './schedules/schedule.entity.js';
import { Content1763000001000 } from './migrations/1763000001000-content.js';

export const entities = [
  ContentType,
  ContentTypeMoves,
  Entry,
  EntryCount,
  EntryDraft,
  EntrySchedule,
  EntryUnique,
  EntryValue,
  EntryWords,
  SchemaChangeRow,
  SearchWord,
];

export const migrations = [Content1763000001000];

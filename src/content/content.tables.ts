import { ContentType } from './content-type.entity.js';
import { ContentTypeMoves } from './content-type-moves.entity.js';
import { PublicTypes1763000030000 } from './migrations/1763000030000-public-types.js';
import { SearchDocuments1763000040000 } from './migrations/1763000040000-search-documents.js';
import { TypeLanguages1763000050000 } from './migrations/1763000050000-type-languages.js';
import { EntryStates1763000050500 } from './migrations/1763000050500-entry-states.js';
import { SearchPendingList1763000050600 } from './migrations/1763000050600-search-pending-list.js';
import { EntryVersions1763000061000 } from './migrations/1763000061000-entry-versions.js';
import { SearchDictionary1763000070000 } from './migrations/1763000070000-search-dictionary.js';
import { Drafts1763000080000 } from './migrations/1763000080000-drafts.js';
import { Schedules1763000091000 } from './migrations/1763000091000-schedules.js';
import { WriteCosts1763000092000 } from './migrations/1763000092000-write-costs.js';
import { GuardedTypes1763000108000 } from './migrations/1763000108000-guarded-types.js';
import { SchemaRevisions1763000110000 } from './migrations/1763000110000-schema-revisions.js';
import { SchemaChanges1763000110100 } from './migrations/1763000110100-schema-changes.js';
import { LongerSearchList1763000144500 } from './migrations/1763000144500-longer-search-list.js';
import { CaughtUpSince1763000154000 } from './migrations/1763000154000-caught-up-since.js';
import { MediaPaths1763000162100 } from './migrations/1763000162100-media-paths.js';
import { PublishedAt1763000161000 } from './migrations/1763000161000-published-at.js';
import { NewestPrimaryKey1763000153000 } from './migrations/1763000153000-newest-primary-key.js';
import { SchemaChangeRow } from './changes/schema-change.entity.js';
import { EntryDraft } from './drafts/draft.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords, SearchWord } from './entries/entry.entity.js';
import { EntrySchedule } from './schedules/schedule.entity.js';

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

export const migrations = [
  PublicTypes1763000030000,
  SearchDocuments1763000040000,
  TypeLanguages1763000050000,
  EntryStates1763000050500,
  SearchPendingList1763000050600,
  EntryVersions1763000061000,
  SearchDictionary1763000070000,
  Drafts1763000080000,
  Schedules1763000091000,
  WriteCosts1763000092000,
  GuardedTypes1763000108000,
  SchemaRevisions1763000110000,
  SchemaChanges1763000110100,
  LongerSearchList1763000144500,
  NewestPrimaryKey1763000153000,
  CaughtUpSince1763000154000,
  PublishedAt1763000161000,
  MediaPaths1763000162100,
];

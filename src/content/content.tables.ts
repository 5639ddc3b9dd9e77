import { ContentType } from './content-type.entity.js';
import { Entry, EntryCount, EntryUnique, EntryValue, EntryWords } from './entries/entry.entity.js';

export const entities = [ContentType, Entry, EntryCount, EntryUnique, EntryValue, EntryWords];

export const migrations = [];

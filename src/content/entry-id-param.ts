import { IdParam } from '../ids/id-param.js';

const HINT =
  'To find an entry by its slug, use …/entries/by/slug/{value} if the field slug is unique, or the list of entries with filter[slug]={value}. ' +
  'Other fields work alike.';

/** Injects the UUID of the entry in the path. */
export const EntryIdParam = () => IdParam('entry_id', 'ent', 'entry', HINT);

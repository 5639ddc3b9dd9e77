import { createContext } from 'react';
import type { EntryNames } from '../../names/use-entry-names';

/** The titles of entries that the shown values name. */
export const NamesContext = createContext<EntryNames['names']>(new Map());

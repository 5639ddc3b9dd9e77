import type { Command } from 'commander';
import { addImportLines } from './lines/import-lines.js';
import type { Process } from '../session/process.js';
import { addContentful } from './contentful/add-contentful.js';
import { addSanity } from './sanity/add-sanity.js';
import { addStrapi } from './strapi/add-strapi.js';
import { addWordpress } from './wordpress/add-wordpress.js';

/** The importers, in the order of the help. Each adds a command to `trivet import`. */
const IMPORTERS: readonly ((parent: Command, running: Process) => void)[] = [
  addImportLines,
  addWordpress,
  addContentful,
  addStrapi,
  addSanity,
];

/** Adds `trivet import …`. */
export function addImport(program: Command, running: Process): void {
  const parent = program.command('import').description('imports content from a file');
  for (const add of IMPORTERS) add(parent, running);
}

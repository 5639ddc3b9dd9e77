import type { Command } from 'commander';
import type { Process } from '../../session/process.js';
import { addMover } from '../add-mover.js';
import { readStrapi } from './read-strapi.js';

export function addStrapi(parent: Command, running: Process): void {
  addMover(parent, running, {
    name: 'strapi',
    description: 'imports the archive that `strapi export --no-encrypt` writes',
    file: 'the .tar.gz file',
    read: readStrapi,
  });
}

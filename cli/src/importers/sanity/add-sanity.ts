import type { Command } from 'commander';
import type { Process } from '../../session/process.js';
import { addMover } from '../add-mover.js';
import { readSanity } from './read-sanity.js';

export function addSanity(parent: Command, running: Process): void {
  addMover(parent, running, {
    name: 'sanity',
    description: 'imports the archive that `sanity dataset export` writes',
    file: 'the .tar.gz file',
    read: readSanity,
  });
}

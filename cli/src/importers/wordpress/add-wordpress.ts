import type { Command } from 'commander';
import type { Process } from '../../session/process.js';
import { addMover } from '../add-mover.js';
import { readWordpress } from './read-wordpress.js';

export function addWordpress(parent: Command, running: Process): void {
  addMover(parent, running, {
    name: 'wordpress',
    description: 'imports a WXR file, as Tools > Export of WordPress writes it',
    file: 'the XML file',
    read: readWordpress,
  });
}

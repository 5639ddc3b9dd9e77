import type { Command } from 'commander';
import type { Process } from '../../session/process.js';
import { addMover } from '../add-mover.js';
import { readContentful } from './read-contentful.js';

export function addContentful(parent: Command, running: Process): void {
  addMover(parent, running, {
    name: 'contentful',
    description: 'imports the JSON file that `contentful space export` writes',
    file: 'the JSON file',
    read: readContentful,
  });
}

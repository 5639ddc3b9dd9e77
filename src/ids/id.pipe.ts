import type { PipeTransform } from '@nestjs/common';
import { Problem } from '../errors/problem.js';
import { type IdPrefix, parseId } from './type-id.js';

/** Converts a public ID to the UUID that it contains. Throws 404 for an ID of another format or kind, as for an unknown ID. */
export class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly prefix: IdPrefix,
    private readonly noun: string,
  ) {}

  transform(publicId: string): string {
    const id = parseId(this.prefix, publicId);
    if (id !== undefined) return id;
    const { detail } = Problem.notFound(this.noun);
    throw new Problem('not_found', `${detail} The ID in this path must be ${this.prefix}_ and 26 letters and digits.`);
  }
}

import type { PipeTransform } from '@nestjs/common';
import { Problem } from '../errors/problem.js';
import type { IdPrefix } from '../modules/module-manifest.js';
import { SLUG_PATTERN } from './slug.js';
import { parseId } from './type-id.js';

/**
 * Converts a public ID to the UUID that it contains. Throws 404 for an ID of another format or kind, as for an unknown ID. `slugHint` is
 * added to the detail of this 404 if a slug was sent.
 */
export class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly prefix: IdPrefix,
    private readonly noun: string,
    private readonly slugHint?: string,
  ) {}

  transform(publicId: string): string {
    const id = parseId(this.prefix, publicId);
    if (id !== undefined) return id;
    const format = `The ID in this path must be ${this.prefix}_ and 26 letters and digits.`;
    const isHelped = this.slugHint !== undefined && SLUG_PATTERN.test(publicId);
    throw Problem.notFound(this.noun, isHelped ? `${format} ${this.slugHint}` : format);
  }
}

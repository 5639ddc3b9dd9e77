import type { PipeTransform } from '@nestjs/common';
import { Problem } from '../errors/problem.js';
import type { IdPrefix } from '../rooms/room.js';
import { parseId } from './type-id.js';

/**
 * Converts a public ID to the UUID that it contains. Throws 404 for an ID of another format or kind, as for an unknown ID. `hint` replaces
 * the sentence about the format in the detail of this 404.
 */
export class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly prefix: IdPrefix,
    private readonly noun: string,
    private readonly hint?: string,
  ) {}

  transform(publicId: string): string {
    const id = parseId(this.prefix, publicId);
    if (id !== undefined) return id;
    throw Problem.notFound(
      this.noun,
      this.hint ?? `The ID in this path must be ${this.prefix}_ and 26 letters and digits.`,
    );
  }
}

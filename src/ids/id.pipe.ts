import type { PipeTransform } from '@nestjs/common';
import { Problem } from '../errors/problem.js';
import { type IdPrefix, parseId } from './type-id.js';

/** Turns a public id into the UUID that it contains. 404 for an id of another format or kind, as for an unknown id. */
export class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly prefix: IdPrefix,
    private readonly noun: string,
  ) {}

  transform(publicId: string): string {
    const id = parseId(this.prefix, publicId);
    if (id === undefined) throw Problem.notFound(this.noun);
    return id;
  }
}

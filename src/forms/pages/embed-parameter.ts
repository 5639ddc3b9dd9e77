import { Problem } from '../../errors/problem.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';

export const EMBED: Parameter = {
  name: 'embed',
  schema: { type: 'string', enum: ['1'] },
  description:
    '`1`: pages of the `allowed_origins` of the tenant, or of any origin if there are none, may show the answer in a frame.',
};

/** Whether the page is to be shown in a frame. Throws a 400 for a value other than `1`. */
export function readEmbed({ embed }: Query): boolean {
  if (embed !== undefined && embed !== '1') throw Problem.parameter('embed', 'embed must be 1.');
  return embed === '1';
}

import type { SlicedWork } from '../admission/sliced-work.js';
import { endOfString } from './end-of-string.js';

/** Characters that one step reads. */
const PIECE = 65_536;

const QUOTE = 0x22;

/**
 * Returns the JSON of an object with only the members of these names, in their order and each as it is written. `json` must be the JSON of an
 * object. Values are passed over, not parsed.
 */
export function* selectMembers(json: string, names: ReadonlySet<string>): SlicedWork<string> {
  const members: string[] = [];
  if (names.size === 0) return '{}';
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  let next = PIECE;
  for (let at = 0; at < json.length; at++) {
    if (at >= next) {
      next = at + PIECE;
      yield;
    }
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (end === -1) throw new SyntaxError('The text is not JSON.');
        if (depth === 1 && name === undefined) {
          name = JSON.parse(json.slice(at, end + 1)) as string;
          start = at;
        }
        at = end;
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (--depth === 0 && name !== undefined && names.has(name)) members.push(json.slice(start, at).trimEnd());
        break;
      case 0x2c: // ,
        if (depth !== 1) break;
        if (name !== undefined && names.has(name)) members.push(json.slice(start, at).trimEnd());
        name = undefined;
        break;
    }
  }
  return `{${members.join(',')}}`;
}

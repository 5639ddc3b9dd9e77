import type { SlicedWork } from '../admission/sliced-work.js';
import { endOfString } from './end-of-string.js';

/** Characters that one step reads. */
const PIECE = 65_536;

const QUOTE = 0x22;

/** A member of an object: its name, and where the text has it. */
export interface JsonMember {
  name: string;
  /** The place of the name. */
  start: number;
  /** The place after the name. The colon and the value follow. */
  afterName: number;
  end: number;
}

/** Finds the members of an object in their order. `json` must be the JSON of an object. Values are passed over, not parsed. */
export function* membersSliced(json: string): SlicedWork<JsonMember[]> {
  const members: JsonMember[] = [];
  let depth = 0;
  let member: JsonMember | undefined;
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
        if (depth === 1 && member === undefined) {
          const name = JSON.parse(json.slice(at, end + 1)) as string;
          member = { name, start: at, afterName: end + 1, end };
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
        if (--depth === 0 && member) members.push({ ...member, end: at });
        break;
      case 0x2c: // ,
        if (depth !== 1) break;
        if (member) members.push({ ...member, end: at });
        member = undefined;
        break;
    }
  }
  return members;
}

/** The text of a member, as it is written. */
export function memberText(json: string, { start, end }: JsonMember): string {
  return json.slice(start, end).trimEnd();
}

/** The text of its value. */
export function memberValue(json: string, { afterName, end }: JsonMember): string {
  return json.slice(json.indexOf(':', afterName) + 1, end).trim();
}

import type { SlicedWork } from '../admission/sliced-work.js';
import { membersSliced, memberText } from './members.js';

/**
 * Returns the JSON of an object with only the members whose names are selected, in their order and each as it is written. `json` must be the JSON
 * of an object.
 */
export function* selectMembers(json: string, isSelected: (name: string) => boolean): SlicedWork<string> {
  const members = (yield* membersSliced(json)).filter(({ name }) => isSelected(name));
  return `{${members.map((member) => memberText(json, member)).join(',')}}`;
}

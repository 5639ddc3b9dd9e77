import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { runNow, type Steps } from '../../admission/steps.js';
import { selectMembers } from '../../json/select-members.js';

/** Entries that show only these fields; all if `select` is undefined. `fields` is JSON. */
export interface Selected {
  fields: string;
  select?: ReadonlySet<string>;
}

/** Returns the JSON of what each of the entries shows. Much JSON takes turns with that of other tenants. */
export async function selectedFields(share: string, entries: readonly Selected[]): Promise<string[]> {
  if (entries.every(({ select }) => select === undefined)) return entries.map(({ fields }) => fields);
  const steps = selectSteps(entries);
  const size = entries.reduce((sum, { fields, select }) => sum + (select ? fields.length : 0), 0);
  return isHeavy(size) ? heavyWork.run(share, steps) : runNow(steps);
}

function* selectSteps(entries: readonly Selected[]): Steps<string[]> {
  const texts: string[] = [];
  for (const { fields, select } of entries) {
    texts.push(select ? yield* selectMembers(fields, select) : fields);
    yield;
  }
  return texts;
}

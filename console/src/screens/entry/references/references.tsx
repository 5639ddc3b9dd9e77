import { Section } from '../../../parts/page';
import type { OfEntry } from '../use-address';
import { Outgoing } from './outgoing';
import { Referrers } from './referrers';

/** What refers to an entry, and what it refers to. */
export function References({ type, entry }: OfEntry) {
  return (
    <>
      <Section title="Refers to this entry" about="Fields of other entries that name this one.">
        <Referrers type={type} entry={entry} />
      </Section>
      <Section
        title="This entry refers to"
        about="Entries that fields of this one name, with what is not published yet."
      >
        <Outgoing type={type} entry={entry} />
      </Section>
    </>
  );
}

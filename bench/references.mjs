/** Content types whose entries refer to each other: entries with two references each, and the people that they lead to. */
import { LINKS_OF_A_PERSON, linkFields, linkOf, PERSON_FIELDS, personOf } from './data.mjs';
import { startService, TENANT } from './service.mjs';

/** Creates the two types. `grow` writes the entries `from` to `to` (exclusive) that refer, and the people that they may refer to. */
export async function referencesOf({ configuration, seed }) {
  const service = await startService(configuration);
  const create = (name, fields) => service.send('POST', `/v1/content/${TENANT}/types`, { name, fields });
  const people = await create('Person', PERSON_FIELDS);
  const links = await create('Link', linkFields(people.id));
  await service.stop();
  const personId = (number) => seed.entryId(number);
  return {
    people,
    links,
    path: `/v1/content/${TENANT}/types/${links.id}/entries`,
    linkOf: (number) => linkOf(number, personId),
    async grow(from, to) {
      const range = [from, to].map((number) => number / LINKS_OF_A_PERSON);
      await seed.entries(people, ...range, { valuesOf: personOf });
      await seed.entries(links, from, to, { valuesOf: (number) => linkOf(number, personId) });
    },
  };
}

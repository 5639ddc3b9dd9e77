import { wordyEntries } from '../seeds.mjs';

const LANES = 24;

export default {
  finding: 4,
  title:
    '24 parallel lists with filter[…][contains] on 100,000 indexed values (25,000 in the short form), with the key of a browser',
  tenant: 'words',

  async setUp(t) {
    t.type = await wordyEntries(t, t.size(100_000, 25_000));
  },

  async attack(t) {
    await t.loop(LANES, (lane, turn) => {
      const query = `filter[tags][contains]=zz${lane}q${turn}`;
      return t.send('GET', `${t.type}/entries?${query}`, undefined, { key: t.keys.published });
    });
  },
};

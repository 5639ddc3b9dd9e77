import { shortEntries } from '../seeds.mjs';

const LANES = 18;

export default {
  finding: 4,
  title: '18 parallel PUTs of one content type with 2,000 entries (500 in the short form) that each rewrite its index',
  isLong: true,

  async setUp(t) {
    t.type = await shortEntries(t, 'rewritten', t.size(2_000, 500), (number) => `Text number ${number}`);
  },

  async attack(t) {
    await t.loop(LANES, (lane, turn) => {
      const fields = [{ name: 'text', type: 'text', max: 200 - ((lane * 7 + turn) % 100) }];
      // Removing the field archives its values, and adding it restores them.
      if ((lane + turn) % 2) fields[0] = { name: `other${lane}`, type: 'text' };
      return t.send('PUT', t.type, { fields });
    });
  },
};

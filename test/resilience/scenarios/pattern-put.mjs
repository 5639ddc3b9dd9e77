import { EXPENSIVE, randomText } from '../expensive-patterns.mjs';
import { shortEntries } from '../seeds.mjs';

export default {
  finding: 3,
  title: 'PUTs that add an expensive pattern to 200 entries of 1,000 characters, one after another',

  async setUp(t) {
    t.type = await shortEntries(t, 'patterned', 200, () => randomText(1_000));
  },

  async attack(t) {
    await t.loop(1, (_lane, turn) => {
      const fields = [{ name: 'text', type: 'text', pattern: EXPENSIVE[turn % EXPENSIVE.length] }];
      return t.send('PUT', t.type, { fields });
    });
  },
};

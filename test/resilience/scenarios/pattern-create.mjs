import { EXPENSIVE, randomText } from '../expensive-patterns.mjs';

export default {
  finding: 3,
  title: '4 connections that create entries whose text is checked against an expensive pattern',

  async setUp(t) {
    t.paths = [];
    for (const [index, pattern] of EXPENSIVE.entries()) {
      const fields = [{ name: 'text', type: 'text', pattern }];
      const { id } = await t.ask('POST', t.types, { name: `Patterned ${index}`, fields });
      t.paths.push(`${t.types}/${id}/entries`);
    }
  },

  async attack(t) {
    await t.loop(4, (lane, turn) => {
      const path = t.paths[(lane + turn) % t.paths.length];
      return t.send('POST', path, { fields: { text: randomText(2_000) } });
    });
  },
};

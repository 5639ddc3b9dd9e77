import { largeEntries } from '../seeds.mjs';

/** The share of the time for changes. The deletion follows. */
const CHANGES = 0.6;
const TITLE = { name: 'title', type: 'text' };
const BLOB = { name: 'blob', type: 'json' };

export default {
  finding: 7,
  title:
    'PUTs that put 400 values of 1 MB away and bring them back (200 in the short form), then the DELETE of their type',
  tenant: 'large',
  seconds: [18, 8],

  async setUp(t) {
    t.type = await largeEntries(t, t.size(400, 200));
  },

  async attack(t) {
    const changesEnd = Date.now() + (t.endsAt - Date.now()) * CHANGES;
    for (let turn = 0; Date.now() < changesEnd; turn++) {
      const answer = await t.send('PUT', t.type, { fields: turn % 2 ? [TITLE, BLOB] : [TITLE] });
      if (answer === undefined) return;
    }
    await t.send('DELETE', t.type);
  },
};

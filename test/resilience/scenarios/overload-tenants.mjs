import { findRate, overload, prepareTenant } from '../overload.mjs';

const OTHERS = Array.from({ length: 7 }, (_, number) => `ten_load${number}`);

export default {
  finding: 'S',
  title: 'twice the sustainable load of eight tenants, in an open loop',
  otherTenants: OTHERS,
  seconds: [12, 6],
  isLong: true,

  async setUp(t) {
    const all = [];
    for (const tenant of [t, ...t.others]) all.push(await prepareTenant(t, tenant));
    t.requests = (turn) => all[turn % all.length](Math.floor(turn / all.length));
    t.sustainable = await findRate(t, t.requests);
  },

  async attack(t) {
    return overload(t, t.requests, t.sustainable);
  },
};

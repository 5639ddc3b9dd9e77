import { findRate, overload, prepareTenant } from '../overload.mjs';

const OTHERS = Array.from({ length: 7 }, (_, number) => `ten_load${number}`);

export default {
  finding: 'S',
  title: 'twice the sustainable load of eight tenants, in an open loop',
  otherTenants: OTHERS,
  seconds: [12, 6],
  // The bound is for the load of one tenant. Here eight tenants have a share each, and the victim has the ninth.
  boundFactor: 2,
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

import { findRate, overload, prepareTenant } from '../overload.mjs';

export default {
  finding: 'S',
  title: 'twice the sustainable load of one tenant, in an open loop',
  seconds: [12, 6],

  async setUp(t) {
    t.requests = await prepareTenant(t, t);
    t.sustainable = await findRate(t, t.requests);
  },

  async attack(t) {
    return overload(t, t.requests, t.sustainable);
  },
};

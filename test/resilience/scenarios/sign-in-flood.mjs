const LANES = 200;
/** An address may fail twenty times a minute. */
const TRIES_OF_ADDRESS = 15;
/** What a stranger may be answered: a wrong password, too many failures, or no turn in time. */
const EXPECTED = new Set([401, 429, 503]);

export default {
  finding: 'P',
  title:
    '200 closed-loop strangers (80 in the short form), each from a new address after 15 tries, who guess passwords of accounts',
  env: { TRUST_PROXY: '1' },
  seconds: [14, 6],

  async attack(t) {
    t.statuses = new Set();
    await t.loop(t.size(LANES, LANES * 0.4), async (lane, turn) => {
      const headers = { 'x-forwarded-for': addressOf(lane, Math.floor(turn / TRIES_OF_ADDRESS)) };
      const body = { email: `account${lane}.${turn}@example.com`, password: 'battery staple' };
      const answer = await t.send('POST', '/v1/sessions', body, { key: undefined, headers });
      if (answer) t.statuses.add(answer.status);
      // Whoever is told to wait comes back at once here, but does not spin.
      return answer?.status === 401 ? answer : undefined;
    });
  },

  async verify(t) {
    const faults = [...t.statuses]
      .filter((status) => !EXPECTED.has(status))
      .map((status) => `a wrong password was answered ${status}`);
    if (!t.statuses.has(401)) faults.push('no password was checked');
    return faults;
  },
};

function addressOf(lane, number) {
  return `10.${lane & 255}.${(number >> 8) & 255}.${number & 255}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { attackerAddress } from '../addresses.mjs';

/** The request from the review. */
const REQUESTS = Buffer.from('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_600));
const ROUNDS = 5;

export default {
  finding: 1,
  title:
    '2,600 pipelined requests on one connection that is closed at once, five times, from one address and from others',
  seconds: [5, 3],
  recoverWithinMs: 2_000,

  async attack(t) {
    for (let round = 0; round < ROUNDS && !t.isOver; round++) {
      const socket = await t.open({ address: attackerAddress(round) });
      if (!socket) continue;
      await new Promise((resolve) => socket.write(REQUESTS, resolve));
      socket.destroy();
      t.count('closed by the attacker');
      await sleep(100);
    }
    await t.untilOver();
  },
};

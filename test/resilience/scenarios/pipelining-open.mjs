import { attackerAddress } from '../addresses.mjs';

const REQUESTS = Buffer.from('GET /problems/not_found HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_600));

export default {
  finding: 1,
  title:
    '2,600 pipelined requests on each of 20 connections that stay open and never read; 5 more that read and send again',
  seconds: [6, 3],

  async attack(t) {
    const write = (socket) => socket.write(REQUESTS);
    await t.hold(20, { addressOf: attackerAddress, write });
    for (let index = 0; index < 5; index++) {
      const socket = await t.open({ address: attackerAddress(20 + index), onData: () => {} });
      socket?.write(REQUESTS);
    }
    await t.untilOver();
  },
};

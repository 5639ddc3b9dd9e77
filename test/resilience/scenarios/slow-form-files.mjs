import { setTimeout as sleep } from 'node:timers/promises';
import { attackerAddress, strangerAddress } from '../addresses.mjs';

const BOUNDARY = 'slow-form-files';
const BODY_BYTES = 1_000_000;
const ADDRESSES = 7;
const UPLOADS_OF_ADDRESS = 5;
/** Below the limit of ten submissions a minute for each address. */
const SUBMISSIONS_OF_VISITOR = 8;

export default {
  finding: 2,
  title: '35 uploads to a form from 7 addresses, one KB a second each, while visitors send files to the same form',
  seconds: [9, 5],

  async setUp(t) {
    const form = await t.ask('POST', t.forms, { name: 'Jobs', fields: [{ name: 'cv', type: 'file' }] });
    t.path = `${t.forms}/${form.id}/submissions`;
  },

  async attack(t) {
    const uploads = ADDRESSES * UPLOADS_OF_ADDRESS;
    await t.hold(uploads, {
      addressOf: (index) => attackerAddress(index % ADDRESSES),
      write: (socket) => begin(socket, t.path),
    });
    t.answers = {};
    const dripping = drip(t);
    let visitors = 0;
    await t.loop(2, async () => {
      const address = strangerAddress(Math.floor(visitors++ / SUBMISSIONS_OF_VISITOR));
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-forwarded-for': address };
      const options = { key: undefined, headers, address };
      const answer = await t.send(
        'POST',
        t.path,
        Buffer.from(`${head('cv.txt')}Hello\r\n--${BOUNDARY}--\r\n`),
        options,
      );
      // The end of the attack may cut the last one.
      if (t.isOver) return answer;
      const status = answer?.status ?? 'none';
      t.answers[status] = (t.answers[status] ?? 0) + 1;
      await sleep(50);
      return answer;
    });
    await dripping;
  },

  /** Every visitor was served. */
  async verify(t) {
    t.note(`visitors of the same form: ${JSON.stringify(t.answers)}`);
    const { 201: served = 0, ...others } = t.answers;
    return served > 0 && Object.keys(others).length === 0 ? [] : ['visitors of the same form were refused'];
  },
};

async function drip(t) {
  while (!t.isOver) {
    await sleep(1_000);
    for (const socket of t.sockets) if (socket.writable) socket.write('a'.repeat(1_000));
  }
}

function begin(socket, path) {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${BODY_BYTES}`,
    `X-Forwarded-For: ${socket.localAddress}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${head('slow.txt')}`);
}

function head(filename) {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="cv"; filename="${filename}"\r\n\r\n`;
}

import { readFileSync } from 'node:fs';
import { attackerAddress } from '../addresses.mjs';

/** Files that this process and the service need in addition. */
const SPARE_FILES = 500;

export default {
  finding: 2,
  title: '5,000 idle connections (1,000 in the short form), half of them after one request; half from one address',
  seconds: [9, 4],
  isLong: true,

  async attack(t) {
    const wanted = t.size(5_000, 1_000);
    const count = Math.min(wanted, openFiles() - SPARE_FILES);
    if (count < wanted) t.note(`only ${count} connections: this machine allows ${openFiles()} open files`);
    const write = (socket, index) => index % 2 && socket.write('GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await t.hold(count, {
      addressOf: (index) => attackerAddress(index % 4 < 2 ? 0 : index % 100),
      write,
      onData: () => {},
    });
    await t.untilOver();
  },
};

function openFiles() {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/Max open files\s+(\d+)/.exec(limits)?.[1] ?? 1_024);
}

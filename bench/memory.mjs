/**
 * `--heap MIB`: measures only the service, in a heap of this size and with content of the maximum size: whether it survives, and its memory
 * and time.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { circumstances, save } from './results.mjs';
import { setScene } from './scene.mjs';
import { startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const ENTRIES = 400;
/** Characters of each text. With its JSON an entry stays below the limit of a body, 1 MiB. */
const LONG = 1_000_000;
const PAGE = 100;
const READERS = 30;
const READERS_MS = 5_000;
const TYPES = 150;
const TYPE_FIELDS = 100;
const OPTIONS = 34;
const AT_ONCE = 4;

const FIELDS = [
  { name: 'title', type: 'text', max: 200 },
  { name: 'text', type: 'rich_text' },
];

export async function memory({ options, postgres, folder }) {
  const context = circumstances(options, postgres);
  const { configuration } = await setScene({ options, postgres, folder });
  const service = await startService(configuration, { nodeArgs: [`--max-old-space-size=${options.heap}`] });
  const results = [];
  const step = async (title, work) => {
    // Resets the kernel's peak of the memory.
    await writeFile(`/proc/${service.pid}/clear_refs`, '5');
    const began = performance.now();
    const note = await work();
    const seconds = (performance.now() - began) / 1000;
    const peak_mib = await peakOf(service.pid);
    results.push({ title, seconds, peak_mib, note });
    console.log(`${title}: ${short(seconds)} s, peak ${short(peak_mib)} MiB`);
  };

  const types = `/v1/content/${TENANT}/types`;
  let type;
  await step('idle', () => sleep(2_000));
  await step(`create ${ENTRIES} entries of 1 MB`, async () => {
    type = await service.send('POST', types, { name: 'Book', fields: FIELDS });
    await eachOf(ENTRIES, (number) =>
      service.send('POST', `${types}/${type.id}/entries`, {
        fields: { title: `Book ${number}`, text: longText(number) },
      }),
    );
  });
  const pages = `${types}/${type.id}/entries?per_page=${PAGE}`;
  await step(`read ${ENTRIES / PAGE} pages of ${PAGE}`, () =>
    eachOf(ENTRIES / PAGE, async (number) => {
      const found = await service.send('GET', `${pages}&page=${number + 1}`);
      if (found.length !== PAGE) throw new Error(`A page has ${found.length} entries.`);
    }),
  );
  await step(`${READERS} readers of ${PAGE} entries that never read`, () => stall(service, pages));
  await step('a tighter limit of the long field', () =>
    service.send('PUT', `${types}/${type.id}`, { fields: [FIELDS[0], { ...FIELDS[1], max: LONG + 100 }] }),
  );
  await step('a new type of the long field', () =>
    service.send('PUT', `${types}/${type.id}`, { fields: [FIELDS[0], { name: 'text', type: 'text' }] }),
  );
  await step('delete the content type', () => service.send('DELETE', `${types}/${type.id}`));
  const values = Array.from({ length: OPTIONS }, (_, number) => `${number} `.padEnd(255, 'option '));
  const fields = Array.from({ length: TYPE_FIELDS }, (_, number) => ({
    name: `f${number}`,
    type: 'select',
    options: values,
  }));
  await step(`create ${TYPES} content types of 0.9 MB with one name, and an entry of each`, () =>
    eachOf(TYPES, async () => {
      const { id } = await service.send('POST', types, { name: 'Large', fields });
      await service.send('POST', `${types}/${id}/entries`, { fields: { f0: values[0] } });
    }),
  );

  const [idle] = results;
  console.log('');
  printTable(
    ['', 'seconds', 'peak, MiB', 'of idle'],
    results.map(({ title, seconds, peak_mib }) => [
      title,
      short(seconds),
      short(peak_mib),
      short(peak_mib / idle.peak_mib),
    ]),
  );
  save('memory', { circumstances: context, heap_mib: options.heap, results });
  return true;
}

/** Runs `work` for 0, 1, …, a few at a time. */
async function eachOf(count, work) {
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function longText(number) {
  const words = `book ${number} has many words, `;
  return words.repeat(Math.ceil(LONG / words.length)).slice(0, LONG - 200);
}

/** Opens connections that request a list and do not read it. Another request must still get a response. */
async function stall(service, path) {
  const { Authorization } = service.headers;
  const sockets = Array.from({ length: READERS }, () => {
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${Authorization}\r\n\r\n`);
    return socket;
  });
  await sleep(READERS_MS);
  const { status } = await fetch(`${service.url}/health/ready`);
  for (const socket of sockets) socket.destroy();
  if (status !== 200) throw new Error(`/health/ready answered ${status} while readers do not read.`);
}

async function peakOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /VmHWM:\s+(\d+) kB/.exec(status);
  if (!found) throw new Error('The service ended.');
  return Number(found[1]) / 1024;
}

/** `npm run bench -- import`: see README.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions, runCommand } from './command.mjs';
import { Postgres } from './postgres.mjs';
import { residentMib } from './processes.mjs';
import { circumstances, save } from './results.mjs';
import { configure, startService, TENANT } from './service.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Imports many short lines and exports them. See bench/README.md.

  npm run bench -- import [options]

  --lines N     lines to import (100000)
  --dist DIR    the built service (dist/src)
  --note TEXT   a note to store with the results
`;
/** Memory may grow by at most this much above idle. */
const TARGET_MIB = 100;
const LIMIT_MS = 1_800_000;
/** Lines that are made and sent together. */
const CHUNK = 1_000;
/** The memory is read this often. */
const SAMPLES = 10;

const options = readOptions(HELP, { lines: 100_000 });

await runCommand(LIMIT_MS, measureImport);

/** Returns whether the target is reached. */
async function measureImport(folder) {
  const { dist, lines } = options;
  const postgres = await Postgres.start({ dist, folder });
  const context = circumstances(options, postgres);
  const service = await startService(configure({ dist, folder, databaseUrl: await postgres.createDatabase('import') }));
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'number', type: 'integer' },
  ];
  const type = await service.send('POST', `/v1/content/${TENANT}/types`, { name: 'Line', fields });
  const entries = `${service.url}/v1/content/${TENANT}/types/${type.id}/entries`;
  await sleep(3_000);
  const idle = await residentMib(service.pid);
  // Resets the kernel's peak of the memory.
  await writeFile(`/proc/${service.pid}/clear_refs`, '5');

  const rows = [];
  const step = async (name, work) => {
    const began = performance.now();
    const cpu = await cpuSeconds(service.pid);
    const row = (done) => async () => {
      const seconds = (performance.now() - began) / 1_000;
      const used = (await cpuSeconds(service.pid)) - cpu;
      rows.push([name, done, short(seconds), short(done / seconds), short((used * 1e6) / done), ...(await grown())]);
    };
    await work(row);
  };
  const grown = async () =>
    [await residentMib(service.pid), await residentMib(service.pid, 'VmHWM')].map((mib) => short(mib - idle));

  await step('import', async (row) => {
    async function* body() {
      for (let from = 0; from < lines; from += CHUNK) {
        if (from > 0 && from % (lines / SAMPLES) === 0) await row(from)();
        const count = Math.min(CHUNK, lines - from);
        const chunk = Array.from({ length: count }, (_, index) => lineOf(from + index)).join('');
        yield Buffer.from(chunk);
      }
    }
    const headers = { ...service.headers, 'Content-Type': 'application/x-ndjson' };
    const response = await fetch(`${entries}/import`, { method: 'POST', headers, body: body(), duplex: 'half' });
    const last = JSON.parse((await response.text()).trim().split('\n').at(-1));
    if (!last.done || last.created !== lines) throw new Error(`The import ended with ${JSON.stringify(last)}.`);
    await row(lines)();
  });
  await step('export', async (row) => {
    const response = await fetch(`${entries}/export`, { headers: service.headers });
    let found = 0;
    for await (const chunk of response.body) for (const byte of chunk) if (byte === 10) found++;
    if (found !== lines) throw new Error(`The export has ${found} lines.`);
    await row(lines)();
  });

  const peak = (await residentMib(service.pid, 'VmHWM')) - idle;
  save('import', { circumstances: context, options: { ...options, dist: undefined }, rows, peak_mib: peak });
  console.log(`\nMemory above idle (${short(idle)} MiB), in MiB.\n`);
  printTable(['', 'lines', 's', 'lines/s', 'cpu/line, µs', 'now', 'peak'], rows);
  console.log(`\n${peak <= TARGET_MIB ? 'Reached' : 'NOT REACHED'}: at most ${short(peak)} MiB above idle.`);
  return peak <= TARGET_MIB;
}

function lineOf(index) {
  return `${JSON.stringify({ fields: { title: `Line ${index} of an import`, number: index }, status: 'published' })}\n`;
}

/** Processor time of the process so far, in seconds. */
async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

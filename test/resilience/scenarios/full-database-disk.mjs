import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Disk, NO_MOUNT, playOnDisk } from '../disk.mjs';
import { eventually } from '../eventually.mjs';

const DISK_MB = 256;
const SPARE_BYTES = 24_000_000;
const ENTRY_BYTES = 700_000;
const MAX_ENTRIES = 200;
const NOT_READY_WITHIN_MS = 10_000;
const RECOVERED_WITHIN_MS = 30_000;

export default {
  finding: 6,
  title: `a full disk under the embedded database, a tmpfs of ${DISK_MB} MB`,
  tenant: 'disk',
  isLong: true,

  async play(world) {
    const disk = Disk.mount(join(world.folder, 'full-database-disk/data'), DISK_MB);
    if (!disk) return { skipped: NO_MOUNT };
    return playOnDisk(world, disk, { name: 'full-database-disk' }, fillAndEmpty);
  },
};

async function fillAndEmpty({ service, client, disk }) {
  const faults = [];
  const type = await client.ask('POST', client.types, { name: 'Disk', fields: [{ name: 'data', type: 'json' }] });
  const path = `${client.types}/${type.id}/entries`;
  const create = () => client.send('POST', path, { fields: { data: randomBytes(ENTRY_BYTES / 2).toString('hex') } });
  await disk.fill(SPARE_BYTES);
  let taken = 0;
  let answer = await create();
  for (; answer.status === 201 && taken < MAX_ENTRIES; taken++) answer = await create();
  await disk.fill();
  const statuses = [answer.status];
  const notReady = await eventually(async () => {
    statuses.push((await create()).status);
    return (await service.readiness()) === 503;
  }, NOT_READY_WITHIN_MS);
  if (notReady === undefined) faults.push(`/health/ready is ${await service.readiness()} while writes fail`);
  const wrong = statuses.filter((status) => ![503, 507].includes(status));
  if (wrong.length > 0) faults.push(`creates on the full disk got ${[...new Set(wrong)].join(', ')}`);

  await disk.makeRoom();
  const recovered = await eventually(
    async () => service.isRunning && (await create()).status === 201 && (await service.isReady()),
    RECOVERED_WITHIN_MS,
  );
  if (!service.isRunning) faults.push(`the service ended: ${service.exit}`);
  else if (recovered === undefined)
    faults.push(`it did not recover after space was freed: /health/ready is ${await service.readiness()}`);
  else {
    const list = await client.send('GET', `${path}?per_page=1`);
    const { total } = JSON.parse(list.text).meta;
    if (total < taken) faults.push(`${taken} entries were acknowledged, ${total} exist`);
  }
  const notes = [
    `${taken} entries fitted; then creates got ${[...new Set(statuses)].join(', ')}; recovered after ${Math.round(recovered)} ms`,
  ];
  return { faults, notes };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Postgres } from '../../../bench/postgres.mjs';
import { Disk, NO_MOUNT, playOnDisk } from '../disk.mjs';
import { eventually } from '../eventually.mjs';
import { noisePicture } from '../pictures.mjs';

const DISK_MB = 48;
/** Variants and uploads are limited per minute, so do not request them too often. */
const PAUSE_MS = 500;
const SPARE_BYTES = 300_000;
const NOT_READY_WITHIN_MS = 10_000;
const RECOVERED_WITHIN_MS = 20_000;
const FULL = [507, 503];

export default {
  finding: 6,
  title: `a full disk under DATA_DIR, a tmpfs of ${DISK_MB} MB, with the database elsewhere`,
  tenant: 'disk',

  async play(world) {
    const home = join(world.folder, 'full-media-disk');
    const disk = Disk.mount(join(home, 'data'), DISK_MB);
    if (!disk) return { skipped: NO_MOUNT };
    const postgres = await Postgres.start({ dist: world.dist, folder: home });
    // The default budget for variants, a tenth of this small disk, would reject the picture.
    const env = { DATABASE_URL: await postgres.createDatabase('disk'), VARIANTS_MAX_BYTES: '40000000' };
    return playOnDisk(world, disk, { name: 'full-media-disk', env }, fillAndEmpty);
  },
};

async function fillAndEmpty({ service, client, disk }) {
  const faults = [];
  const notes = [];
  const picture = await noisePicture(1_600, 1_200);
  const small = await noisePicture(160, 120);
  const first = await client.upload(picture, 'first.jpg');
  if (first.status !== 201) return { faults: [`the first upload answered ${first.status}`] };
  const path = new URL(JSON.parse(first.text).data.url).pathname;
  const variant = () => client.send('GET', `${path}?w=1280&format=png`, undefined, { key: undefined });

  // Leaves space for a copy of the original, but not for its variant.
  await disk.fill(picture.length + SPARE_BYTES);
  const half = await variant();
  if (!FULL.includes(half.status)) faults.push(`a variant on the nearly full disk got ${half.status} ${codeOf(half)}`);
  await disk.fill();
  const logged = (await logLines(service)).length;
  const upload = await client.upload(picture, 'second.jpg');
  if (!FULL.includes(upload.status)) faults.push(`an upload to the full disk got ${upload.status} ${codeOf(upload)}`);
  const drawn = await variant();
  if (!FULL.includes(drawn.status)) faults.push(`a variant on the full disk got ${drawn.status} ${codeOf(drawn)}`);
  const errors = (await logLines(service)).slice(logged).filter(({ level }) => /^(error|fatal)$/.test(level));
  if (errors.length === 0) faults.push('no error was logged');
  const notReady = await eventually(
    async () => {
      await client.upload(picture, 'again.jpg');
      return (await service.readiness()) === 503;
    },
    NOT_READY_WITHIN_MS,
    PAUSE_MS,
  );
  if (notReady === undefined) faults.push(`/health/ready is ${await service.readiness()} while uploads fail`);
  notes.push(
    `full: upload ${upload.status}, variant ${half.status} and ${drawn.status}, ${errors.length} errors logged, ready ${await service.readiness()}`,
  );

  await disk.makeRoom();
  const isWell = async () => {
    const [again, redrawn] = [await client.upload(small, 'small.jpg'), await variant()];
    return again.status === 201 && redrawn.status === 200 && (await service.isReady());
  };
  const recovered = await eventually(isWell, RECOVERED_WITHIN_MS, PAUSE_MS);
  if (recovered === undefined) {
    const { status } = await variant();
    faults.push(
      `it did not recover after space was freed: a variant got ${status}, /health/ready ${await service.readiness()}`,
    );
  } else notes.push(`recovered ${(recovered / 1000).toFixed(1)} s after space was freed`);
  return { faults, notes };
}

function codeOf({ text }) {
  return /"code":"([^"]+)"/.exec(text)?.[1] ?? '';
}

async function logLines({ logFile }) {
  const text = await readFile(logFile, 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

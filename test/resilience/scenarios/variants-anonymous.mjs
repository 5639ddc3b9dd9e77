import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noisePicture } from '../pictures.mjs';
import { strangerAddress } from '../addresses.mjs';

const FIRST_WIDTH = 3_801;
const WIDTHS = 40;
/** Each is about 13 MB; three of them are enough for everybody. */
const MAX_GROWTH_MIB = 45;
const MIB = 2 ** 20;

export default {
  finding: 5,
  title: 'anonymous GETs of ?w=3801…3840&format=png of one public picture, each from an address of its own, 4 at once',
  env: { TRUST_PROXY: '1' },
  seconds: [14, 6],

  async setUp(t) {
    t.picture = await t.mustUpload(await noisePicture(3_900, 1_200, 50), 'noise.jpg');
    t.before = await sizeOf(t.dataDir);
  },

  async attack(t) {
    await t.each(WIDTHS, 4, async (number) => {
      const headers = { 'x-forwarded-for': strangerAddress(number) };
      const options = { key: undefined, headers, address: strangerAddress(number), discard: true };
      await t.send('GET', `${t.picture.path}?w=${FIRST_WIDTH + number}&format=png`, undefined, options);
    });
  },

  /** The disk has not grown by more than a few pictures, and the site's own sizes can still be had. */
  async verify(t) {
    const grown = Math.round(((await sizeOf(t.dataDir)) - t.before) / MIB);
    const faults = grown > MAX_GROWTH_MIB ? [`the disk grew by ${grown} MiB, and may grow by ${MAX_GROWTH_MIB}`] : [];
    for (const query of ['w=640&format=webp', 'w=700&format=jpeg', 'w=333&h=222&format=webp']) {
      const answer = await t.send('GET', `${t.picture.path}?${query}`, undefined, { key: undefined, discard: true });
      if (answer?.status !== 200) faults.push(`the site's own ?${query} was answered ${answer?.status}`);
    }
    t.note(`the disk grew by ${grown} MiB`);
    return faults;
  },
};

/** Bytes of the media in a data folder, and of what is on its way in. */
async function sizeOf(dataDir) {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('media') || name.startsWith('variant'));
  const sizes = await Promise.all(names.map((name) => sizeBelow(join(dataDir, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.path, entry.name)).catch(() => ({ size: 0 }))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

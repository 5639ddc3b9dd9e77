import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noisePicture } from '../pictures.mjs';
import { strangerAddress } from '../addresses.mjs';

const FIRST_WIDTH = 3_801;
const WIDTHS = 40;
/** Enough for three variants of about 13 MB each. */
const MAX_GROWTH_MIB = 45;
const MIB = 2 ** 20;

export default {
  finding: 5,
  title: 'anonymous GETs of ?w=3801…3840&format=png of one public picture, each from another address, 4 at once',
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

  /** The disk may grow by only a few pictures, and the sizes that the site uses are still available. */
  async verify(t) {
    const grown = Math.round(((await sizeOf(t.dataDir)) - t.before) / MIB);
    const faults = grown > MAX_GROWTH_MIB ? [`the disk grew by ${grown} MiB; the limit is ${MAX_GROWTH_MIB} MiB`] : [];
    for (const query of ['w=640&format=webp', 'w=700&format=jpeg', 'w=333&h=222&format=webp']) {
      const answer = await t.send('GET', `${t.picture.path}?${query}`, undefined, { key: undefined, discard: true });
      if (answer?.status !== 200) faults.push(`the site's own ?${query} got ${answer?.status}`);
    }
    t.note(`the disk grew by ${grown} MiB`);
    return faults;
  },
};

/** The size of the media in a data folder, including uploads in progress, in bytes. */
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

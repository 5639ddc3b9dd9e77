import { setTimeout as sleep } from 'node:timers/promises';
import { ask, multipart, send } from '../ask.mjs';
import { strangerAddress, VICTIM } from '../addresses.mjs';
import { noisePicture } from '../pictures.mjs';

const AT_ONCE = 90;
const PICTURES = 20;
const LARGE_PICTURES = 12;
const EACH_MS = 500;
/** Allows for the attacker's picture in progress, which need not be cancelled. */
const SLOWEST_MS = 5_000;

export default {
  finding: 5,
  title:
    '90 parallel requests for variants of one tenant’s pictures, during which another tenant requests a new variant each half second',
  env: { TRUST_PROXY: '1' },
  seconds: [10, 5],

  async setUp(t) {
    const large = await noisePicture(3_000, 2_000, 50);
    t.pictures = [];
    for (let number = 0; number < LARGE_PICTURES; number++) t.pictures.push(await t.mustUpload(large, 'large.jpg'));
    t.victims = [];
    const small = await noisePicture(640, 480);
    const { port, victim } = t;
    for (let number = 0; number < PICTURES; number++) {
      const path = `/v1/media/${victim.tenantId}`;
      const { data } = await ask({ port, key: victim.key, method: 'POST', path, ...multipart(small, `${number}.jpg`) });
      t.victims.push(new URL(data.url).pathname);
    }
  },

  async attack(t) {
    const flood = t.each(100_000, AT_ONCE, async (number) => {
      const address = strangerAddress(number % 2_000);
      const path = `${t.pictures[number % LARGE_PICTURES].path}?w=${1_500 + (number % 1_499)}&format=webp`;
      await t.send('GET', path, undefined, {
        key: undefined,
        headers: { 'x-forwarded-for': address },
        address,
        discard: true,
      });
    });
    await sleep(1_000);
    const times = [];
    const faults = [];
    for (const path of t.victims) {
      if (t.isOver) break;
      const began = performance.now();
      const options = { port: t.port, path: `${path}?w=320&format=webp`, address: VICTIM, discard: true };
      const status = await send({ ...options, timeoutMs: 8_000 }).then(
        (answer) => answer.status,
        ({ code }) => code,
      );
      times.push(performance.now() - began);
      if (status !== 200) faults.push(`the other tenant's picture got ${status}`);
      await sleep(EACH_MS);
    }
    const slowest = Math.max(...times);
    t.note(`the other tenant's ${times.length} new pictures took ${times.map((ms) => Math.round(ms)).join(', ')} ms`);
    if (slowest > SLOWEST_MS) faults.push(`the other tenant's picture took ${(slowest / 1_000).toFixed(1)} s`);
    await Promise.race([flood, t.untilOver()]);
    return faults;
  },
};

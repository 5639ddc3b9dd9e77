import { tmpdir } from 'node:os';
import type { Config } from '../../config/config.js';
import { UploadAdmission } from './upload-admission.js';

/** More than any disk has, so that the capacity is four times this. */
const LARGEST = 1e15;

describe('the admission of uploads', () => {
  const admission = () => new UploadAdmission({ dataDir: tmpdir(), mediaMaxBytes: LARGEST } as Config);
  /** Starts an upload that runs until `end` is called. */
  const inProgress = (uploads: UploadAdmission, tenantId: string) => {
    let end = () => {};
    let hold: (bytes: number) => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run = uploads.run(tenantId, (given) => {
      hold = given;
      return ended;
    });
    return { hold: (bytes: number) => hold(bytes), end: () => (end(), run) };
  };

  it('gives a tenant at most half of the bytes on the disk, and leaves the rest to others', async () => {
    const uploads = admission();
    const [first, second, other] = [inProgress(uploads, 'a'), inProgress(uploads, 'a'), inProgress(uploads, 'b')];
    first.hold(1.5 * LARGEST);
    second.hold(0.5 * LARGEST);
    expect(() => second.hold(1)).toThrow(
      expect.objectContaining({ code: 'unavailable', headers: { 'Retry-After': '5' } }),
    );
    other.hold(LARGEST);
    await first.end();
    second.hold(LARGEST);
    await Promise.all([second.end(), other.end()]);
    const again = inProgress(uploads, 'a');
    again.hold(2 * LARGEST);
    await again.end();
  });

  it('releases the bytes of a failed upload', async () => {
    const uploads = admission();
    for (let times = 0; times < 3; times++) {
      const failed = uploads.run('a', (hold) => {
        hold(2 * LARGEST);
        return Promise.reject(new Error('broken'));
      });
      await expect(failed).rejects.toThrow('broken');
    }
  });

  it('runs 32 uploads of a tenant, lets 64 more wait, and refuses the rest', async () => {
    const uploads = admission();
    const many = Array.from({ length: 96 }, () => inProgress(uploads, 'a'));
    await expect(uploads.run('a', () => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
    await uploads.run('b', () => Promise.resolve());
    await Promise.all(many.map(({ end }) => end()));
    await uploads.run('a', () => Promise.resolve());
  });
});

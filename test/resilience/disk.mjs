/** A separate small disk: a tmpfs, which only root can mount, and not in every container. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../../bench/processes.mjs';
import { Client } from './client.mjs';

const CHUNK = Buffer.alloc(2 ** 20);

export class Disk {
  /** Mounts a disk at `folder`. Returns undefined if that is not allowed. */
  static mount(folder, megabytes) {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'resilience', folder], {
        stdio: 'ignore',
      });
    } catch {
      return undefined;
    }
    return new Disk(folder);
  }

  constructor(folder) {
    this.folder = folder;
    this.filler = join(folder, 'filler');
    this.unmount = atEnd(() => execFileSync('umount', [folder], { stdio: 'ignore' }));
  }

  /** Fills the disk until at most `spare` bytes are free. */
  async fill(spare = 0) {
    const file = await open(this.filler, 'a');
    try {
      for (let left = (await this.free()) - spare; left > 0; left -= CHUNK.length) {
        await file.write(CHUNK, 0, Math.min(left, CHUNK.length));
      }
      // Fills it to the last byte, even if something was deleted in between.
      while (spare === 0) await file.write(CHUNK, 0, 4_096);
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  async makeRoom() {
    await rm(this.filler, { force: true });
  }

  async free() {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }
}

export const NO_MOUNT = 'mounting a tmpfs needs root, and a container that allows it';

/** Runs a service on the disk, and `scenario({service, client, disk})` against it; returns the scenario's result. */
export async function playOnDisk(world, disk, { name, env }, scenario) {
  const service = world.serviceIn(name, { env, dataDir: disk.folder });
  await service.start();
  const client = new Client(service, { tenantId: 'ten_disk', key: world.keysOf('ten_disk').all });
  const result = await scenario({ service, client, disk });
  await service.end();
  await disk.unmount();
  return result;
}

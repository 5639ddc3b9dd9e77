import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { files } from '../support/files.js';
import { build, Service } from '../support/service.js';
import { until } from '../support/until.js';

/** What `/proc` reports about a running process. */
interface Seen {
  pid: number;
  parent: number;
  command: string;
}

async function processes(): Promise<Seen[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The picture processes of the service and of its child processes. */
async function pictureProcesses(service: Service): Promise<Seen[]> {
  const all = await processes();
  const isBelow = ({ parent }: Seen): boolean => {
    if (parent === service.pid) return true;
    const above = all.find(({ pid }) => pid === parent);
    return above !== undefined && isBelow(above);
  };
  return all.filter((one) => one.command.includes('picture-child') && isBelow(one));
}

const isAlive = async (pid: number) => (await processes()).some((one) => one.pid === pid);
const onLinux = process.platform === 'linux' ? it : it.skip;

// Each start of a service is slow on a busy machine.
jest.setTimeout(240_000);

describe('the picture processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  const running: Service[] = [];

  beforeAll(async () => {
    await build();
    database = await createDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'trivet-pictures-'));
  });
  afterAll(async () => {
    await stopAll();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const stopAll = () => Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));

  const start = async (env: Record<string, string> = {}) => {
    const service = new Service({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      TENANTS: '[{"id":"ten_a","name":"A","api_keys":[{"key":"a-key"}]}]',
      ...env,
    });
    running.push(service);
    const url = await service.url();
    const upload = async (data: Buffer): Promise<string> => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(data)]), 'picture');
      const headers = { Authorization: 'Bearer a-key' };
      const answer = await fetch(`${url}/v1/media/ten_a`, { method: 'POST', headers, body: form });
      const { data: media } = (await answer.json()) as { data?: { url: string; width: number } };
      if (answer.status !== 201 || !media) throw new Error(`The upload was answered ${answer.status}.`);
      return url + new URL(media.url).pathname;
    };
    return { service, url, upload };
  };
  const status = async (url: string) => {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  };

  describe('of one service', () => {
    let started: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      started = await start({ METRICS_TOKEN: 'a-secret', ADMIN_PASSWORD: 'a-secret' });
    });
    afterAll(stopAll);

    it('start with the first picture, not with other files', async () => {
      const { service, upload } = started;
      await upload(Buffer.from('text'));
      await upload(files.svg());
      expect(await pictureProcesses(service)).toEqual([]);
      const picture = await upload(await files.png());
      expect(await pictureProcesses(service)).toHaveLength(1);
      expect(await status(`${picture}?w=16`)).toBe(200);
      expect(await pictureProcesses(service)).toHaveLength(2);
    });

    onLinux('inherit no environment, and come after requests on shared processors', async () => {
      const children = await pictureProcesses(started.service);
      expect(children).toHaveLength(2);
      for (const { pid } of children) {
        const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((line) => line !== '');
        const names = environment.map((line) => line.split('=')[0] ?? '');
        expect(names.filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual([]);
        for (const thread of await readdir(`/proc/${pid}/task`)) {
          const fields = (await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
          expect(fields[16]).toBe('10');
        }
        expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
      }
    });

    it('survive the signals that a terminal sends to its process group', async () => {
      const { service, upload } = started;
      const before = await pictureProcesses(service);
      for (const { pid } of before) {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
      }
      const picture = await upload(await files.png());
      expect(await status(`${picture}?w=16`)).toBe(200);
      expect(await pictureProcesses(service)).toEqual(before);
    });

    it('are replaced when they die', async () => {
      const { service, upload } = started;
      const picture = await upload(await files.png());
      const before = await pictureProcesses(service);
      for (const { pid } of before) process.kill(pid, 'SIGKILL');
      expect(await status(`${picture}?w=32`)).toBe(200);
      await upload(await files.png());
      const after = await pictureProcesses(service);
      expect(after).toHaveLength(2);
      expect(after.filter(({ pid }) => before.some((one) => one.pid === pid))).toEqual([]);
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('end when a service of ROLE=api ends by %s', async (signal) => {
    const { service, upload } = await start({ ROLE: 'api' });
    expect(await status(`${await upload(await files.png())}?w=16`)).toBe(200);
    const children = await pictureProcesses(service);
    expect(children).toHaveLength(2);
    expect((await service.stop(signal)).code).toBe(0);
    for (const { pid } of children) await until(async () => !(await isAlive(pid)));
  });

  it('end when the service is killed while a picture is processed', async () => {
    const { service, upload } = await start();
    const large = await upload(await files.jpeg(9_000, 9_000));
    const answer = fetch(`${large}?w=3840&format=avif`).catch(() => undefined);
    const children = await until(async () => {
      const seen = await pictureProcesses(service);
      return seen.length === 2 && seen;
    });
    await service.stop('SIGKILL');
    await answer;
    for (const { pid } of children) await until(async () => !(await isAlive(pid)));
  });

  it('serve every process of a cluster, and end with it', async () => {
    const { service, upload } = await start({ WEB_CONCURRENCY: '2' });
    const pictures = await Promise.all(Array.from({ length: 8 }, async () => upload(await files.png())));
    const statuses = await Promise.all(pictures.map((picture) => status(`${picture}?w=16`)));
    expect(statuses).toEqual(Array<number>(8).fill(200));
    const children = await pictureProcesses(service);
    expect(children.length).toBeGreaterThanOrEqual(2);
    expect((await service.stop()).code).toBe(0);
    for (const { pid } of children) await until(async () => !(await isAlive(pid)));
  });
});

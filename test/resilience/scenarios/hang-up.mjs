import { existsSync } from 'node:fs';
import { childrenOf } from '../../../bench/processes.mjs';
import { eventually } from '../eventually.mjs';

const ENDED_WITHIN_MS = 20_000;

export default {
  finding: 9,
  title: 'SIGHUP, which a closed terminal sends, leaves no process behind',

  async play(world) {
    const service = world.serviceIn('hang-up');
    await service.start();
    const { pid } = service;
    const database = await service.databasePid();
    const pids = [pid, database, ...(await childrenOf(pid)), ...(await childrenOf(database))];
    const code = await service.signal('SIGHUP', ENDED_WITHIN_MS);
    const left = () => [...new Set(pids)].filter((one) => existsSync(`/proc/${one}`));
    await eventually(() => left().length === 0, 3_000);
    const faults = [];
    if (code !== 0) faults.push(`the service ended with ${code ?? 'nothing: it still runs'}`);
    if (left().length > 0) faults.push(`${left().length} of ${new Set(pids).size} processes were left behind`);
    await service.end();
    return { faults, notes: [`${new Set(pids).size} processes before`] };
  },
};

/** `--explain`: the plans of the service's own queries, as auto_explain logs them. */
import { open as openFile } from 'node:fs/promises';
import { ask } from './requests.mjs';
import { startService } from './service.mjs';

/** PostgreSQL may switch to a prepared statement's generic plan from its sixth run on. */
const RUNS = 7;
/** The time limit for the runs of one request, in milliseconds. Slow requests get fewer runs. */
const TIMEOUT_MS = 5_000;

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '100',
};

/** Sends one request of each workload, and returns the plans of all its queries by the workload's title. */
export async function explain({ postgres, scene, workloads, results }) {
  const database = new URL(scene.databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(SETTINGS)) {
    await postgres.admin.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  }
  // With one connection every run uses the same prepared statements. Without jobs the log contains only the requests' queries.
  const env = { ...scene.configuration.env, DATABASE_POOL_SIZE: '1', ROLE: 'api' };
  const service = await startService({ ...scene.configuration, env });
  const plans = {};
  try {
    for (const { title, questions } of workloads) {
      // A request that failed before would fail again.
      if (results[title]?.failed) continue;
      const [question] = questions();
      const began = performance.now();
      for (let run = 1; run < RUNS && performance.now() - began < TIMEOUT_MS; run++) await ask(service, question);
      const { size } = await tail(postgres.logFile);
      await ask(service, question);
      plans[title] = plansIn(await tail(postgres.logFile, size));
    }
  } finally {
    await service.stop();
    for (const name of Object.keys(SETTINGS)) await postgres.admin.query(`ALTER DATABASE ${database} RESET ${name}`);
  }
  return plans;
}

/** The content of a file from an offset on. */
async function tail(path, from = 0) {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    return { size, text: buffer.toString('utf8') };
  } finally {
    await file.close();
  }
}

/** An entry of the log starts with a time; its further lines are indented. */
function plansIn({ text }) {
  return text
    .split(/^(?=\S)/m)
    .filter((entry) => entry.includes('plan:'))
    .map((entry) => entry.slice(entry.indexOf('plan:') + 5).trim());
}

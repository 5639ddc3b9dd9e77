/** `--explain`: the plans that PostgreSQL makes for the service's own statements, as auto_explain logs them. */
import { open as openFile } from 'node:fs/promises';
import { ask } from './requests.mjs';
import { startService } from './service.mjs';

/** A prepared statement has the plan that it keeps from its sixth run on. */
const RUNS = 7;
/** For one question, milliseconds: a slow one is asked less often. */
const TIMEOUT_MS = 5_000;

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '100',
};

/** Asks one question of each workload, and returns the plan of every statement that it took, by the workload's title. */
export async function explain({ postgres, scene, workloads, results }) {
  const database = new URL(scene.databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(SETTINGS)) {
    await postgres.admin.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  }
  // With one connection every run meets the same prepared statement; without jobs the log has only what the questions take.
  const env = { ...scene.configuration.env, DATABASE_POOL_SIZE: '1', ROLE: 'api' };
  const service = await startService({ ...scene.configuration, env });
  const plans = {};
  try {
    for (const { title, questions } of workloads) {
      // What failed before would fail again.
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

/** What a file holds from an offset onward. */
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

/** An entry of the log begins with a time; the lines that follow it are indented. */
function plansIn({ text }) {
  return text
    .split(/^(?=\S)/m)
    .filter((entry) => entry.includes('plan:'))
    .map((entry) => entry.slice(entry.indexOf('plan:') + 5).trim());
}

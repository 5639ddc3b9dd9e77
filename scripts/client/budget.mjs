/** What an entry of the client may weigh, compressed and with everything that it imports. What it loads on demand does not count. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const KILOBYTE = 1000;
const BUDGETS = { 'index.js': 8 * KILOBYTE, 'preview.js': 2 * KILOBYTE };
const STATIC_IMPORT = /(?:^|\n)(?:import|export)[^;]*?["'](\.[^"']+)["']/g;

/** Returns what is too large, as sentences. */
export async function checkBudget(folder) {
  const problems = [];
  for (const [name, budget] of Object.entries(BUDGETS)) {
    const size = await sizeOf(join(folder, name));
    if (size > budget) problems.push(`${name} has ${size} bytes compressed. At most ${budget} are allowed.`);
  }
  return problems;
}

export async function sizeOf(entry) {
  const texts = new Map();
  const collect = async (file) => {
    if (texts.has(file)) return;
    const text = await readFile(file, 'utf8');
    texts.set(file, text);
    for (const [, path] of text.matchAll(STATIC_IMPORT)) await collect(join(dirname(file), path));
  };
  await collect(entry);
  return gzipSync([...texts.values()].join('\n'), { level: 9 }).length;
}

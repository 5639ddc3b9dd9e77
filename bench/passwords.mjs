/** `npm run bench -- passwords`: see COMMANDS.md. */
import { join } from 'node:path';
import { readOptions, runCommand } from './command.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Compares the time of a password that is right, of a wrong one, and of an account that does not exist. See bench/COMMANDS.md.

  npm run bench -- passwords [options]

  --rounds N        rounds, in each of which everything is measured once (200)
  --dist DIR        the built service (dist/src)
`;
const LIMIT_MS = 300_000;
/** The target: how much the medians of a wrong password and of an unknown account may differ. */
const MOST = 1.05;
const CLIENT = { stranger: '203.0.113.7' };

const options = readOptions(HELP, { rounds: 200 });

await runCommand(LIMIT_MS, measure);

/** Returns whether the target is reached. */
async function measure() {
  const { Passwords } = await import(join(options.dist, 'people/passwords/passwords.js'));
  const passwords = new Passwords();
  const stored = await passwords.hash('correct horse', CLIENT);
  const cases = [
    { name: 'hash', run: () => passwords.hash('correct horse', CLIENT) },
    { name: 'right password', run: () => passwords.verify(stored, 'correct horse', CLIENT) },
    { name: 'wrong password', run: () => passwords.verify(stored, 'battery staple', CLIENT) },
    { name: 'unknown account', run: () => passwords.verify(undefined, 'battery staple', CLIENT) },
  ].map((one) => ({ ...one, times: [] }));
  for (let round = 0; round < options.rounds; round++) {
    // Each case comes first as often as the others.
    for (let index = 0; index < cases.length; index++) {
      const { run, times } = cases[(round + index) % cases.length];
      const began = performance.now();
      await run();
      times.push(performance.now() - began);
    }
  }
  const rows = cases.map(({ name, times }) => {
    const sorted = times.sort((a, b) => a - b);
    return { name, least: sorted[0], median: at(sorted, 0.5), p95: at(sorted, 0.95) };
  });
  printTable(
    ['', 'least, ms', 'median, ms', 'p95, ms'],
    rows.map(({ name, least, median, p95 }) => [name, short(least), short(median), short(p95)]),
  );
  const [, , wrong, unknown] = rows;
  const ratio = Math.max(wrong.median, unknown.median) / Math.min(wrong.median, unknown.median);
  console.log(`\nWrong password and unknown account differ by ${short(ratio)} (target: at most ${MOST}).`);
  return ratio <= MOST;
}

function at(sorted, part) {
  return sorted[Math.floor(sorted.length * part)];
}

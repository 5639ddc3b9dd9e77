/** `npm run bench` runs run.mjs, and `npm run bench -- NAME` another benchmark: see README.md. */
const OTHERS = [
  'bulk',
  'cli',
  'deliveries',
  'distributed',
  'fairness',
  'import',
  'inbox',
  'keys',
  'mcp',
  'locales',
  'passwords',
  'schedules',
  'schema',
  'search',
  'streams',
];

const [name] = process.argv.slice(2);
const isOption = name === undefined || name.startsWith('-');
if (!isOption && !OTHERS.includes(name)) {
  console.error(
    `There is no benchmark ${name}. There are ${OTHERS.join(', ')}, and without a name the one of README.md.`,
  );
  process.exit(2);
}
// The benchmark reads the options, which follow its name.
if (!isOption) process.argv.splice(2, 1);
await import(isOption ? './run.mjs' : `./${name}.mjs`);

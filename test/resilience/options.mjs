import { parseArgs } from 'node:util';

const HELP = `Attacks the built service in the ways of the review, and measures another tenant during each attack.
See test/resilience/README.md.

  npm run test:resilience -- [options]

  --list          print the scenarios and exit
  --only a,b      only these scenarios
  --short         the form of CI: two to three minutes
  --overload      only twice the sustainable load, from one tenant and from several
  --minutes M     minutes of each of the two --overload scenarios (5)
  --dist DIR      a built service; otherwise dist is built
  --limit M       minutes after which no scenario starts; increase it on a busy machine (8)
  --keep          keep the folder with logs and data
  --note TEXT     a note to store with the results
`;

/** Parses the command line. Prints and exits on --help and on errors. */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        list: { type: 'boolean', default: false },
        only: { type: 'string' },
        short: { type: 'boolean', default: false },
        overload: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '5' },
        dist: { type: 'string' },
        limit: { type: 'string', default: '8' },
        keep: { type: 'boolean', default: false },
        note: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) leave(0, HELP);
    const minutes = Number(values.minutes);
    if (!(minutes > 0 && minutes <= 120)) leave(2, `--minutes must be more than 0 and at most 120.\n\n${HELP}`);
    const limit = Number(values.limit);
    if (!(limit > 0 && limit <= 240)) leave(2, `--limit must be more than 0 and at most 240.\n\n${HELP}`);
    const only = values.overload ? ['overload-tenant', 'overload-tenants'] : values.only?.split(',');
    return { ...values, only, limit, minutes: values.overload ? minutes : undefined };
  } catch (error) {
    return leave(2, `${error.message}\n\n${HELP}`);
  }
}

function leave(code, text) {
  console.error(text);
  process.exit(code);
}

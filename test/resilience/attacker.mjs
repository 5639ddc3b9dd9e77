/**
 * The attacker's process: runs one scenario's `setUp`, `attack` and `verify` when it is told to, and ends with its connections. Messages:
 * `load` {scenario, context}, `run` {step, seconds}, `over`.
 */
import { setPriority } from 'node:os';
import { Toolkit } from './toolkit.mjs';

/** An attacker would use processors of their own: as far as these are shared, the service comes first. */
const NICENESS = 5;
const GRACE_MS = 2_000;

let scenario;
let toolkit;

process.on('disconnect', () => process.exit(0));
// Sockets of an attack fail in every way; what matters of it is counted where it happens.
process.on('uncaughtException', (error) => {
  if (!['ECONNRESET', 'EPIPE', 'ECONNREFUSED'].includes(error.code)) process.send({ error: error.stack });
});
process.on('message', (message) => {
  void handlers[message.type](message).then(
    (result) => result !== undefined && process.send({ result }),
    (error) => process.send({ error: error.stack }),
  );
});

const handlers = {
  async load({ scenario: name, context }) {
    ({ default: scenario } = await import(`./scenarios/${name}.mjs`));
    toolkit = new Toolkit(context);
    return { steps: Object.keys(scenario) };
  },

  async run({ step, seconds }) {
    if (step === 'attack') setPriority(NICENESS);
    toolkit.begin(seconds);
    // What is under way when the attack is over gets no answer any more: its connection is closed.
    const faults = (await Promise.race([scenario[step](toolkit), toolkit.overdue(GRACE_MS)])) ?? [];
    toolkit.closeAll();
    return { faults, counts: toolkit.counts, notes: toolkit.notes, data: toolkit.data };
  },

  async over() {
    toolkit.end();
    return undefined;
  },
};

/**
 * The attacker's process: runs one scenario's `setUp`, `attack` and `verify` on request, and closes its connections in the end. Messages:
 * `load` {scenario, context}, `run` {step, seconds}, `over`.
 */
import { setPriority } from 'node:os';
import { Toolkit } from './toolkit.mjs';

/** A real attacker uses other processors. Since they are shared here, the service gets priority. */
const NICENESS = 5;
const GRACE_MS = 2_000;

let scenario;
let toolkit;

process.on('disconnect', () => process.exit(0));
// Sockets of an attack fail in many ways. Scenarios count the failures that matter.
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
    // Requests in progress when the attack ends get no response: their connections are closed.
    const faults = (await Promise.race([scenario[step](toolkit), toolkit.overdue(GRACE_MS)])) ?? [];
    toolkit.closeAll();
    return { faults, counts: toolkit.counts, notes: toolkit.notes, data: toolkit.data };
  },

  async over() {
    toolkit.end();
    return undefined;
  },
};

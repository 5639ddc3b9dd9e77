/** Controls the attacker's process. */
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startModule } from '../../bench/processes.mjs';

const ATTACKER = fileURLToPath(new URL('./attacker.mjs', import.meta.url));

export class Attack {
  static async load(scenario, context) {
    const attack = new Attack();
    attack.process = startModule(ATTACKER);
    attack.process.child.on('message', (answer) => attack.answered?.(answer));
    attack.process.child.on('exit', () => attack.answered?.({ error: 'The attacker process ended.' }));
    await attack.ask({ type: 'load', scenario: scenario.name, context }, 20_000);
    return attack;
  }

  /** Runs a step of the scenario and returns {faults, counts, notes}. Throws if it fails or takes longer than the limit. */
  run(step, { limitMs, seconds }) {
    return this.ask({ type: 'run', step, seconds }, limitMs);
  }

  /** Tells a running attack to end. */
  over() {
    if (this.process.isRunning()) this.process.child.send({ type: 'over' });
  }

  /** Kills the process, which closes all its connections. */
  async end() {
    this.process.child.kill('SIGKILL');
    await this.process.stop();
  }

  async ask(message, limitMs) {
    const answered = new Promise((resolve) => (this.answered = resolve));
    this.process.child.send(message);
    const late = sleep(limitMs, { error: `It took longer than ${limitMs / 1000} s.` }, { ref: false });
    const { result, error } = await Promise.race([answered, late]);
    this.answered = undefined;
    if (error !== undefined) throw new Error(error);
    return result;
  }
}

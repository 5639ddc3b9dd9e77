/** The environment of `runtime.cjs`: the globals of the process itself. What a test file changes in them ends with the file. */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Enough to find the test's line, and little enough that errors stay cheap. */
const STACK_FRAMES = 30;

export default class PlainEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  hasFailed = false;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = { console, exit: process.exit, env: { ...process.env } };
  }

  async setup() {
    Error.stackTraceLimit = STACK_FRAMES;
    // Jest's formatter of stacks would replace Node's, which knows the source maps.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
    const left = await closeLeftovers();
    // A test that fails may leave one, and its own error says more.
    if (left > 0 && !this.hasFailed)
      throw new Error(`The test file leaves ${left} application(s) running. Close what startApp returns.`);
  }

  /** Adds what the file has to say about a failure (`onTestFailure`), before hooks close what it speaks of. */
  async handleTestEvent({ name, error }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
    if (name !== 'test_fn_failure' || !globalThis.describeTestFailure || !(error instanceof Error)) return;
    const parts = await globalThis.describeTestFailure();
    error.stack = [error.stack, ...parts].join('\n\n');
  }

  getVmContext() {
    return null;
  }
}

/** Returns how many there were. An application that goes on would log and do its periodic tasks in the tests of later files. */
async function closeLeftovers() {
  const left = [...(globalThis.runningApps ?? [])];
  await Promise.all(left.map((app) => app.close()));
  return left.length;
}

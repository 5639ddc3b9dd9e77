import type { Worker } from 'node:cluster';
import { StartError } from '../config/start-error.js';

/** Why a worker of a cluster could not start. Without a stack, the operator can fix it. */
interface Failure {
  message: string;
  stack?: string;
}

/** In a worker of a cluster: tells the primary why this process ends. Resolves also if the primary does not receive it. */
export function reportToPrimary(error: unknown): Promise<void> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const failure: Failure = error instanceof StartError ? { message } : { message, stack };
  return new Promise((resolve) => {
    if (process.send) process.send({ failure }, () => resolve());
    else resolve();
  });
}

/** In the primary: resolves when the worker ends, with the error that it told, or else with its exit code or signal as the message. */
export function endOf(worker: Worker): Promise<Error> {
  let told: Failure | undefined;
  worker.on('message', ({ failure }: { failure?: Failure }) => (told ??= failure));
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      const { message, stack } = told ?? { message: `Process ${worker.process.pid} exited (${signal ?? code})` };
      resolve(stack === undefined ? new StartError(message) : Object.assign(new Error(message), { stack }));
    });
  });
}

import { Problem } from '../../errors/problem.js';
import { ResponseTimeout, PictureChannel, ProcessEnded } from './picture-channel.js';
import type { PictureLimits } from './picture-limits.js';
import type { Dimensions, PictureOrder, PictureReport, StripTask, VariantTask } from './picture-task.js';

/** An idle process ends after this time. */
const IDLE_MS = 60_000;
/** Time for the process to start and load the image library. */
const START_MS = 20_000;
/** A process that holds more memory after an image is replaced, because not all freed memory returns to the system. */
const REPLACE_BYTES = 268_435_456;
/** Signals that mean that an image crashed the process. Any other end was caused from outside. */
const CRASHES = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'];

/** The image is damaged, or takes more work than is allowed. */
export class PictureFault extends Error {}

/**
 * A child process that works on one image at a time. It starts with the first image, ends when it is idle, and is killed if an image takes
 * too long. The next image then gets a new process. Rejects with a `PictureFault`, a system error if the disk failed, or a 503.
 */
export class PictureProcess {
  private channel?: PictureChannel;
  private idle?: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly idleMs = IDLE_MS) {}

  /** The ID of the running process. */
  get pid(): number | undefined {
    return this.channel?.ended ? undefined : this.channel?.pid;
  }

  /** Returns width and height of the image as it is shown. */
  async dimensions(source: string, limits: PictureLimits): Promise<Dimensions> {
    return (await this.work({ kind: 'dimensions', source }, limits)) as Dimensions;
  }

  /** Draws the variant into the file `target`. Returns its size in bytes. */
  async draw(task: Omit<VariantTask, 'kind'>, limits: PictureLimits): Promise<number> {
    return (await this.work({ kind: 'variant', ...task }, limits)) as number;
  }

  /** Writes the image without metadata into the file `target`. Returns its size in bytes; there is no file if that is more than `maxBytes`. */
  async strip(task: Omit<StripTask, 'kind'>, limits: PictureLimits): Promise<number> {
    return (await this.work({ kind: 'strip', ...task }, limits)) as number;
  }

  /** Ends the process permanently. */
  stop(): void {
    this.stopped = true;
    this.end();
  }

  private end(): void {
    clearTimeout(this.idle);
    this.channel?.kill();
  }

  private async work(task: PictureOrder['task'], limits: PictureLimits): Promise<Dimensions | number> {
    clearTimeout(this.idle);
    try {
      return await this.attempt(task, limits).catch((error: unknown) => {
        // The process may have been ended from outside, perhaps while it was idle. Try again with a new one.
        if (error instanceof ProcessEnded) return this.attempt(task, limits);
        throw error;
      });
    } catch (error) {
      if (error instanceof ProcessEnded) throw unavailable('The image could not be processed.', error);
      if (error instanceof ResponseTimeout) throw unavailable('Processing the image took too long.', error);
      throw error;
    } finally {
      this.idle = setTimeout(() => this.end(), this.idleMs).unref();
    }
  }

  private async attempt(task: PictureOrder['task'], limits: PictureLimits): Promise<Dimensions | number> {
    const channel = this.channel && !this.channel.ended ? this.channel : await this.start();
    const { cpuMs, memoryBytes, wallMs } = limits;
    channel.send({ task, limits: { cpuMs, memoryBytes } });
    const report = await this.receive(channel, wallMs).catch((error: unknown) => {
      const hasCrashed = error instanceof ProcessEnded && CRASHES.includes(error.signal ?? '');
      throw hasCrashed ? new PictureFault(error.message) : error;
    });
    return this.resultOf(report);
  }

  private async start(): Promise<PictureChannel> {
    if (this.stopped) throw new ProcessEnded('The service is stopping.');
    const channel = new PictureChannel();
    this.channel = channel;
    const report = await this.receive(channel, START_MS);
    if (report.kind === 'ready') return channel;
    this.end();
    throw unavailable('Images cannot be processed.', new Error(JSON.stringify(report)));
  }

  /** Returns the next message. Kills the process if it does not respond in time. */
  private async receive(channel: PictureChannel, timeoutMs: number): Promise<PictureReport> {
    try {
      return await channel.receive(timeoutMs);
    } catch (error) {
      channel.kill();
      throw error;
    }
  }

  private resultOf(report: PictureReport): Dimensions | number {
    switch (report.kind) {
      case 'exceeded':
        this.end();
        throw new PictureFault(`Processing the image takes too much ${report.what}.`);
      case 'done':
        this.replaceIfLarge(report);
        return report.result;
      case 'failed':
        this.replaceIfLarge(report);
        if (report.code === undefined) throw new PictureFault(report.message);
        throw Object.assign(new Error(report.message), { code: report.code });
      case 'ready':
      case 'unusable':
        throw new Error(`Unexpected message: ${report.kind}`);
    }
  }

  private replaceIfLarge({ memoryBytes }: { memoryBytes: number }): void {
    if (memoryBytes > REPLACE_BYTES) this.end();
  }
}

function unavailable(detail: string, cause: Error): Problem {
  const problem = Problem.unavailable(detail, 5);
  problem.cause = cause;
  return problem;
}

import type { Response } from 'express';

/** Bytes of the response that may wait for the client. Beyond that, bad lines are only counted. */
const MAX_UNREAD = 1024 * 1024;
/** Writes the lines of an import's response while its body is read. */
export class ImportResponder {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly response: Response,
    private readonly progress: () => object,
    private readonly progressMs: number,
  ) {}

  /** Begins to report the progress. The response begins with its first line, so that earlier errors are problem responses. */
  start(): void {
    this.timer = setInterval(() => this.write(this.progress()), this.progressMs);
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.req.socket.destroyed;
  }

  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** Leaves the line out if the client does not read. */
  write(line: object): void {
    if (this.isGone || this.response.writableLength > MAX_UNREAD) return;
    this.begin();
    this.response.write(`${JSON.stringify(line)}\n`);
  }

  /** Writes the last line. */
  end(line: object): void {
    this.stop();
    if (this.isGone) return;
    this.begin();
    this.response.end(`${JSON.stringify(line)}\n`);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private begin(): void {
    if (this.response.headersSent) return;
    this.response.statusCode = 200;
    this.response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
    // Proxies must not collect the lines.
    this.response.setHeader('X-Accel-Buffering', 'no');
  }
}

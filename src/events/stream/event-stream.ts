import type { Response } from 'express';
import type { OpenStreams } from '../../admission/open-streams.js';
import { whenClosed } from '../../admission/when-closed.js';
import type { Caller } from '../../http/caller.js';
import { StreamedResponse } from '../../http/responses/streamed-response.js';
import type { EventSelection } from '../feed/event-selection.js';
import { isVisible } from '../feed/visible-events.js';
import { EventChunk, idLine } from './event-chunk.js';
import type { EventTails } from './event-tails.js';
import type { FeedPages } from './feed-pages.js';
import type { FeedPart, TenantTail } from './tenant-tail.js';

const COMMENT_MS = 15_000;
/** How long a client waits before it connects again. */
const RECONNECT = 'retry: 1000\n';
/** Events of a page that a reader reads by itself. */
const PAGE = 25;
/** A reader that needs longer than this for a part gives up the rest of its page, and reads it again later. */
const SLOW_MS = 1_000;
/** How long a reader waits after a failure: the database is away, or memory has no place for a large event. */
const FAILED_MS = 1_000;
/** A client that does not take the end of its stream within this time is disconnected. */
const END_MS = 500;
/** A stream in a session ends after this time, and its client connects again if the session has not ended. */
const SESSION_MS = 3_600_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies must not collect the events.
  'X-Accel-Buffering': 'no',
};

interface StreamRequest {
  caller: Caller;
  selection: EventSelection;
  /** Returns the position after which the stream begins. */
  start: () => Promise<bigint>;
}

/** What all streams use. */
interface StreamServices {
  tails: EventTails;
  pages: FeedPages;
  openStreams: OpenStreams;
}

/**
 * Sends events as they are committed (Server-Sent Events, WHATWG HTML). It pulls them: nothing is taken from the tail, and nothing is read,
 * before the client has taken what was sent. So it holds at most one part of the feed, whatever the client does. `Connections` closes the
 * connection of a client that takes nothing for `CLIENT_TIMEOUT`.
 */
export class EventStream extends StreamedResponse {
  private position = 0n;
  private isEnding = false;
  private isClosed = false;
  private commentDue = 0;
  /** Ends the present wait. */
  private wake: () => void = () => undefined;

  constructor(
    private readonly request: StreamRequest,
    private readonly services: StreamServices,
  ) {
    super();
  }

  async send(response: Response): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const { tenantId, credentialId, sessionId } = this.request.caller;
    const end = () => this.end(response);
    const close = this.services.openStreams.open({ tenantId, credentialId, sessionId, end });
    // A session may end because nobody used it.
    const sessionCheck = sessionId === undefined ? undefined : setTimeout(end, SESSION_MS).unref();
    const cancel = whenClosed(response, () => this.noteClosed());
    response.once('close', () => this.noteClosed());
    try {
      await this.follow(response);
    } finally {
      clearTimeout(sessionCheck);
      cancel();
      close();
    }
  }

  private async follow(response: Response): Promise<void> {
    const { caller, start } = this.request;
    // The tail begins before the start is known, so that no event is between them.
    const { tail, leave } = await this.services.tails.join(caller.tenantId, () => this.wake());
    try {
      this.position = await start();
      response.streamBeganAt = performance.now();
      await this.write(response, RECONNECT + this.comment());
      while (!this.isOver) await this.step(response, tail);
      if (!this.isClosed) response.end();
    } finally {
      leave();
    }
  }

  private get isOver(): boolean {
    return this.isEnding || this.isClosed;
  }

  private async step(response: Response, tail: TenantTail): Promise<void> {
    if (performance.now() >= this.commentDue) await this.write(response, this.comment());
    const next = tail.next(this.position);
    if (next === 'wait') return this.pause(this.commentDue - performance.now());
    try {
      if (next === 'behind') await this.readPage(response);
      else await this.sendPart(response, next);
    } catch {
      // The event stays to be sent. Other tasks log that the database is away.
      if (!this.isOver) await this.pause(FAILED_MS);
    }
  }

  private async readPage(response: Response): Promise<void> {
    const { caller, selection } = this.request;
    const page = await this.services.pages.ofReader(caller.tenantId, this.position, PAGE, selection);
    for (const part of page.parts) {
      const began = performance.now();
      await this.sendPart(response, part);
      if (this.isOver || performance.now() - began > SLOW_MS) return;
    }
  }

  private async sendPart(response: Response, part: FeedPart): Promise<void> {
    const { selection } = this.request;
    if (part instanceof EventChunk) {
      const text = part.textAfter(this.position, selection);
      // The position moves first: what was written is sent, also if the stream ends meanwhile.
      this.position = part.to;
      if (text) await this.write(response, text);
      return;
    }
    if (selection.types?.has(part.type) !== false) {
      await part.with((lines, head) => {
        const isShown = isVisible(selection.visibleTypes, { type: part.type, data: head });
        if (this.isOver || !isShown) return Promise.resolve();
        response.write(idLine(part.to, selection));
        return this.write(response, lines);
      });
    }
    this.position = part.to;
  }

  /** The cursor makes a client that has received no event for long resume here, and not at the last event. */
  private comment(): string {
    this.commentDue = performance.now() + COMMENT_MS;
    return `:\n${idLine(this.position, this.request.selection)}\n`;
  }

  /** Resolves when the client has taken the text, apart from what the system's buffers hold, or the stream is over. */
  private async write(response: Response, text: string | Buffer): Promise<void> {
    if (this.isOver || response.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done);
        this.wake = ignore;
        resolve();
      };
      response.once('drain', done);
      // The tail wakes the stream too, which must not let it write on.
      this.wake = () => {
        if (this.isOver) done();
      };
    });
  }

  /** Resolves after the time, or earlier when something happens. */
  private async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = ignore;
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms)).unref();
      this.wake = done;
    });
  }

  private noteClosed(): void {
    this.isClosed = true;
    this.wake();
  }

  private end(response: Response): void {
    if (this.isOver) return;
    this.isEnding = true;
    this.wake();
    const { socket } = response.req;
    const late = setTimeout(() => socket.destroy(), END_MS).unref();
    response.once('finish', () => clearTimeout(late));
    response.once('close', () => clearTimeout(late));
  }
}

function ignore(): void {
  return;
}

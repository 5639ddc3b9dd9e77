import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { until } from './until.js';
import type { TestApp } from './app.js';

/** An event as a stream has sent it. */
export interface StreamedEvent {
  id: string;
  type: string;
  /** The JSON of `data`. */
  body: { id: string; type: string; data: Record<string, unknown> };
}

/** A client of `text/event-stream` (WHATWG HTML, section 9.2). */
export class EventStreamReader {
  readonly events: StreamedEvent[] = [];
  comments = 0;
  /** As a browser would send it. */
  lastEventId = '';
  /** Set when the response has ended: `end`, or the error that broke it. */
  ended?: unknown;
  private rest = '';
  private isReading = false;

  private constructor(private readonly response: IncomingMessage) {}

  /** Resolves when the response has begun, so that a stream from now on contains what is recorded later. */
  static async open(...request: Parameters<typeof EventStreamReader.openPaused>): Promise<EventStreamReader> {
    const reader = await EventStreamReader.openPaused(...request);
    reader.resume();
    return reader;
  }

  /** The same, but the client reads nothing until `resume`. */
  static async openPaused(
    { url }: Pick<TestApp, 'url'>,
    { id, key }: { id: string; key?: string },
    query = '',
    headers: Record<string, string> = {},
  ): Promise<EventStreamReader> {
    // Each stream has a connection of its own.
    const sent = request(`${url}/v1/events/${id}${query}`, {
      agent: false,
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        Accept: 'text/event-stream',
        ...headers,
      },
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return new EventStreamReader(response);
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** The body of a response that is not a stream. */
  async problem(): Promise<unknown> {
    return json(this.response);
  }

  resume(): void {
    if (this.isReading || this.status !== 200) return;
    this.isReading = true;
    void this.read();
  }

  close(): void {
    this.response.destroy();
  }

  /** Waits for this number of events, and returns all of them. */
  async until(count: number, timeoutMs?: number): Promise<StreamedEvent[]> {
    await until(() => Promise.resolve(this.events.length >= count), timeoutMs);
    return this.events;
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response) this.take(decoder.decode(bytes as Buffer, { stream: true }));
      this.ended = 'end';
    } catch (error) {
      this.ended = error;
    }
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^([^:]*): ?(.*)$/.exec(line)?.slice(1) ?? [line, '']);
      const valueOf = (field: string) => fields.find(([name]) => name === field)?.[1];
      if (fields.some(([name]) => name === '')) this.comments++;
      this.lastEventId = valueOf('id') ?? this.lastEventId;
      const data = valueOf('data');
      if (data !== undefined) {
        const body = JSON.parse(data) as StreamedEvent['body'];
        this.events.push({ id: this.lastEventId, type: valueOf('event') ?? '', body });
      }
    }
  }
}

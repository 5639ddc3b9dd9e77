import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';

/** A response that lasts until its client, the service or the end of its key ends it. */
interface OpenStream {
  readonly tenantId: string;
  /** The `credentialId` of the caller. */
  readonly credentialId: string;
  /** The `sessionId` of the caller. */
  readonly sessionId?: string;
  /** Ends the response soon, also if the client does not read. */
  end(): void;
}

/** All streams together use at most this part of the client connections, so that requests find one. */
const PART_OF_CONNECTIONS = 0.5;
/** A key uses at most this part of the streams of its tenant, so that other keys find one. */
const PART_OF_KEY = 0.9;
/** In seconds. Streams last, so a place is rarely free at once. */
const RETRY_AFTER = 10;

/**
 * Counts the streams of this process. They have limits of their own, for each tenant (`EVENT_STREAMS`) and in total, because they are not
 * part of any tenant's share: while they wait, they use nothing but a connection.
 */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  private readonly all = new Set<OpenStream>();
  private readonly ofTenants = new Map<string, number>();
  private readonly limit: number;
  private hasEnded = false;
  private refusals = 0;

  constructor(private readonly config: Config) {
    this.limit = Math.max(1, Math.floor(config.maxConnections * PART_OF_CONNECTIONS));
  }

  get load(): { open: number; refused: number } {
    return { open: this.all.size, refused: this.refusals };
  }

  /** Counts the stream until the returned function is called. Throws 503 with `Retry-After` if there are too many. */
  open(stream: OpenStream): () => void {
    const ofTenant = this.ofTenants.get(stream.tenantId) ?? 0;
    if (ofTenant >= this.config.eventStreams) throw this.refusal('This tenant has too many open streams.');
    if (this.countOf(stream) >= Math.ceil(this.config.eventStreams * PART_OF_KEY))
      throw this.refusal('This API key has too many open streams.');
    if (this.all.size >= this.limit) throw this.refusal('The service has too many open streams.');
    this.all.add(stream);
    this.ofTenants.set(stream.tenantId, ofTenant + 1);
    // Its client connects again at once, to another process or to the next one. A refusal would make browsers give up.
    if (this.hasEnded) stream.end();
    return () => this.close(stream);
  }

  /** Ends the streams of a key that was revoked or has expired. */
  endStreamsOf(credentialId: string): void {
    for (const stream of this.all) if (stream.credentialId === credentialId) stream.end();
  }

  /**
   * Ends the streams of the tenant that were opened in sessions, because something about who may use the tenant has changed. Clients connect
   * again, and are then asked for their session.
   */
  endStreamsInSessions(tenantId: string): void {
    for (const stream of this.all) if (stream.sessionId !== undefined && stream.tenantId === tenantId) stream.end();
  }

  /** Ends all streams, and from now on each new one: the process is stopping. */
  endAll(): void {
    this.hasEnded = true;
    for (const stream of this.all) stream.end();
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  private countOf({ tenantId, credentialId }: OpenStream): number {
    let count = 0;
    for (const one of this.all) if (one.tenantId === tenantId && one.credentialId === credentialId) count++;
    return count;
  }

  private refusal(detail: string): Problem {
    this.refusals++;
    return Problem.unavailable(detail, RETRY_AFTER);
  }

  private close(stream: OpenStream): void {
    if (!this.all.delete(stream)) return;
    const left = (this.ofTenants.get(stream.tenantId) ?? 1) - 1;
    if (left === 0) this.ofTenants.delete(stream.tenantId);
    else this.ofTenants.set(stream.tenantId, left);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IssuedKeys } from '../../access/issued-keys.js';
import { OpenStreams } from '../../admission/open-streams.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { EventFeed, positionIn } from '../feed/event-feed.js';
import type { EventSelection } from '../feed/event-selection.js';
import { EventStream } from './event-stream.js';
import { EventTails } from './event-tails.js';
import { FeedPages } from './feed-pages.js';

/** Where a stream begins; from now on, if nothing is set. */
interface StreamStart {
  /** The cursor after the last event that the client has. It has precedence, because a browser repeats the URL with it. */
  lastEventId: string | undefined;
  cursor: string | undefined;
  since: Date | undefined;
}

@Injectable()
export class EventStreamsService implements OnModuleInit {
  constructor(
    private readonly feed: EventFeed,
    private readonly tails: EventTails,
    private readonly pages: FeedPages,
    private readonly openStreams: OpenStreams,
    private readonly keys: IssuedKeys,
  ) {}

  onModuleInit(): void {
    this.keys.onEnded((credentialId) => this.openStreams.endStreamsOf(credentialId));
  }

  /** Returns the stream as a response. Throws 400 for a cursor of another list. The response is 503 if too many streams are open. */
  open(caller: Caller, wanted: EventSelection, from: StreamStart): EventStream {
    const { tails, pages, openStreams } = this;
    const selection = { ...wanted, visibleTypes: caller.visibleTypes };
    return new EventStream(
      { caller, selection, start: this.startOf(caller, selection, from) },
      { tails, pages, openStreams },
    );
  }

  private startOf(
    { tenantId }: Caller,
    selection: EventSelection,
    { lastEventId, cursor, since }: StreamStart,
  ): () => Promise<bigint> {
    if (lastEventId !== undefined) return always(positionOfId(lastEventId, selection));
    if (cursor !== undefined) return always(positionIn({ cursor }, selection));
    return since ? () => this.feed.before(tenantId, since) : () => this.tails.endOf(tenantId);
  }
}

function always(position: bigint): () => Promise<bigint> {
  return () => Promise.resolve(position);
}

function positionOfId(cursor: string, selection: EventSelection): bigint {
  try {
    return positionIn({ cursor }, selection);
  } catch {
    throw Problem.parameter('Last-Event-ID', 'Last-Event-ID is not an ID of this stream, with the same types.');
  }
}

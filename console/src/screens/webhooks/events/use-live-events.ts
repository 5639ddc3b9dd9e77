import { useEffect, useState } from 'react';
import { readEventStream } from '../../../api/event-stream';
import type { TenantEvent } from '../../../api/events';
import { EVERY_EVENT } from '../events-in-words';

/** Events that are kept: older ones leave the page. */
const KEPT = 200;
/** Milliseconds after which a broken stream is tried again, doubled up to the most. */
const PAUSE = { first: 1_000, most: 30_000 };

interface LiveEvents {
  readonly events: readonly TenantEvent[];
  readonly isOpen: boolean;
  /** Why the stream is closed. It is opened again by itself. */
  readonly error?: unknown;
}

/** The events that happen while the page is open, newest first. */
export function useLiveEvents(tenantId: string, types: readonly string[]): LiveEvents {
  const [state, setState] = useState<LiveEvents>({ events: [], isOpen: false });
  const wanted = types.includes(EVERY_EVENT) ? '' : types.join(',');
  useEffect(() => {
    const gone = new AbortController();
    void follow(tenantId, wanted === '' ? [] : wanted.split(','), gone.signal, setState);
    return () => gone.abort();
  }, [tenantId, wanted]);
  return state;
}

type Change = (change: (before: LiveEvents) => LiveEvents) => void;

async function follow(tenantId: string, types: readonly string[], signal: AbortSignal, change: Change): Promise<void> {
  let lastId: string | undefined;
  let pause = PAUSE.first;
  while (!signal.aborted) {
    let error: unknown;
    try {
      await readEventStream(tenantId, {
        ...{ types, signal },
        ...(lastId !== undefined && { lastId }),
        onOpen: () => {
          pause = PAUSE.first;
          change(({ events }) => ({ events, isOpen: true }));
        },
        onEvent: (event) => change((before) => ({ ...before, events: [event, ...before.events].slice(0, KEPT) })),
        onId: (id) => (lastId = id),
      });
    } catch (failure) {
      error = failure;
    }
    if (signal.aborted) return;
    change(({ events }) => ({ events, isOpen: false, error }));
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(PAUSE.most, pause * 2);
  }
}

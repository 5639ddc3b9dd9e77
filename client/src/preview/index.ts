/** An entry as the console shows it in its preview frame: with its draft. */
export interface PreviewedEntry {
  readonly id: string;
  readonly content_type_id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly status: 'draft' | 'published';
}

export interface PreviewOptions<E extends PreviewedEntry = PreviewedEntry> {
  /** The origin of the console, such as `https://cms.example`. Messages of others are ignored, and none is sent to others. */
  readonly origin: string;
  /** Receives the entry when the page has loaded and at each change. */
  readonly onChange: (entry: E) => void;
  /** Called when somebody clicks an element that `data-trivet-field` marks, before the console moves to the field. */
  readonly onField?: (field: string) => void;
}

const MARK = 'data-trivet-field';

/**
 * Shows an entry while it is written, in the preview frame of the console. Does nothing on other pages. Returns what ends it.
 */
export function livePreview<E extends PreviewedEntry = PreviewedEntry>({
  origin,
  onChange,
  onField,
}: PreviewOptions<E>): () => void {
  if (typeof window === 'undefined' || window.parent === window || !isFramedBy(origin)) return () => {};
  const ended = new AbortController();
  const returnToPlace = keepPlace(ended.signal);
  const receive = ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || from !== origin || !isEntryMessage<E>(data)) return;
    onChange(data.entry);
    returnToPlace();
  };
  const point = (click: MouseEvent) => {
    const { target } = click;
    if (click.ctrlKey || click.metaKey || click.shiftKey) return;
    const field = target instanceof Element ? target.closest(`[${MARK}]`)?.getAttribute(MARK) : undefined;
    if (!field) return;
    // A link would lead the frame away from the entry.
    click.preventDefault();
    onField?.(field);
    window.parent.postMessage({ type: 'trivet:field', field }, origin);
  };
  window.addEventListener('message', receive, ended);
  // Before the site's own code, which may follow a link in its own way.
  document.addEventListener('click', point, { signal: ended.signal, capture: true });
  return () => ended.abort();
}

/** The console loads the page anew at each save. Returns what scrolls it once, when it has content, to where it was before. */
function keepPlace(signal: AbortSignal): () => void {
  const key = `trivet preview ${window.location.pathname}`;
  try {
    let place = Number(sessionStorage.getItem(key));
    const keep = () => sessionStorage.setItem(key, String(window.scrollY));
    window.addEventListener('scroll', keep, { signal, passive: true });
    return () => {
      const top = place;
      place = 0;
      if (top > 0) window.requestAnimationFrame(() => window.scrollTo(0, top));
    };
  } catch {
    // The browser keeps nothing for this page.
    return () => {};
  }
}

/** Chromium and Safari name the origins of the frames around a page. Elsewhere, the origins of messages tell. */
function isFramedBy(origin: string): boolean {
  const { ancestorOrigins } = window.location as Partial<Location>;
  return !ancestorOrigins || ancestorOrigins[0] === origin;
}

function isEntryMessage<E>(data: unknown): data is { entry: E } {
  const message = data as { type?: unknown; entry?: unknown } | null;
  return (
    typeof message === 'object' &&
    message?.type === 'trivet:entry' &&
    typeof message.entry === 'object' &&
    message.entry !== null
  );
}

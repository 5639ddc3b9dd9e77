import { type FromFrame, isField, isToFrame, type ToFrame } from './messages';

/** The site may run scripts and open windows, but not lead the console elsewhere. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals';

/**
 * Frames a site between the entry and the site, because the policy of the console names no tenant: hands the entry to the site, at its origin
 * alone, and what somebody pointed at back to the entry. `place` has the origin that the policy of this page allows, if there is one.
 */
export function showSite(place: HTMLElement): void {
  const asked = new URLSearchParams(location.search).get('site') ?? '';
  const site = place.dataset['site'] ?? '';
  if (window.parent === window)
    return say(place, 'This page is a part of the live preview, which is opened from an entry.');
  if (site === '') return refuse(place, asked);
  const preview = new SiteFrame(place, site);
  window.addEventListener('message', (message) => preview.receive(message));
  // The site may lead to another one, which the policy stops.
  document.addEventListener('securitypolicyviolation', ({ blockedURI }) => refuse(place, originOf(blockedURI)));
  tellEntry({ type: 'trivet:ready' });
}

class SiteFrame {
  private readonly frame = document.createElement('iframe');
  private entry?: object;

  constructor(
    private readonly place: HTMLElement,
    private readonly site: string,
  ) {
    this.frame.title = 'Live preview';
    this.frame.setAttribute('sandbox', SANDBOX);
    this.frame.addEventListener('load', () => this.sendEntry());
  }

  /** Messages from elsewhere are ignored, also those of other frames and windows of the same origins. */
  receive({ source, origin, data }: MessageEvent<unknown>): void {
    if (source === window.parent && origin === location.origin) {
      if (isToFrame(data)) this.obey(data);
    } else if (source === this.frame.contentWindow && origin === this.site && isField(data)) {
      tellEntry({ type: 'trivet:field', field: data.field });
    }
  }

  private obey(message: ToFrame): void {
    if (message.type === 'trivet:entry') {
      this.entry = message.entry;
      this.sendEntry();
    } else if (originOf(message.url) !== this.site) {
      refuse(this.place, originOf(message.url));
    } else {
      this.show(message.url);
    }
  }

  /** Each time is a load of the page, and none is a step of the browser's history. */
  private show(url: string): void {
    const isAgain = this.frame.isConnected && !url.includes('#');
    if (isAgain) return this.frame.contentWindow?.location.replace(url);
    // An address that differs by its fragment alone would load nothing.
    this.frame.remove();
    this.frame.src = url;
    this.place.replaceChildren(this.frame);
  }

  /** The browser delivers it only if the frame shows a page of the site. */
  private sendEntry(): void {
    if (this.entry) this.frame.contentWindow?.postMessage({ type: 'trivet:entry', entry: this.entry }, this.site);
  }
}

function tellEntry(message: FromFrame): void {
  window.parent.postMessage(message, location.origin);
}

function refuse(place: HTMLElement, origin: string): void {
  say(
    place,
    `${origin || 'This address'} is not shown here, because it is not among the allowed origins of this tenant. An operator of the service can add it to allowed_origins.`,
  );
  tellEntry({ type: 'trivet:refused', origin });
}

function say(place: HTMLElement, sentence: string): void {
  const text = document.createElement('p');
  text.textContent = sentence;
  place.replaceChildren(text);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

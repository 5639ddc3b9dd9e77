/** What the entry sends to the frame of the live preview: where the site is, and the entry as its preview link answers it. */
export type ToFrame =
  { readonly type: 'trivet:show'; readonly url: string } | { readonly type: 'trivet:entry'; readonly entry: object };

/** What the frame sends to the entry: that it listens, the field that somebody pointed at, and that the site must not be shown. */
export type FromFrame =
  | { readonly type: 'trivet:ready' }
  | { readonly type: 'trivet:field'; readonly field: string }
  | { readonly type: 'trivet:refused'; readonly origin: string };

/** A name has 63 characters; the place of a field in groups and blocks has several. */
const MAX_FIELD = 1_000;

export function isToFrame(data: unknown): data is ToFrame {
  const { type, url, entry } = propertiesOf(data);
  return type === 'trivet:show' ? typeof url === 'string' : type === 'trivet:entry' && isObject(entry);
}

export function isFromFrame(data: unknown): data is FromFrame {
  const { type, origin } = propertiesOf(data);
  return type === 'trivet:ready' || (type === 'trivet:refused' && typeof origin === 'string') || isField(data);
}

/** Whether the site says that somebody pointed at a field. */
export function isField(data: unknown): data is { readonly field: string } {
  const { type, field } = propertiesOf(data);
  return type === 'trivet:field' && typeof field === 'string' && field.length <= MAX_FIELD;
}

function propertiesOf(data: unknown): Readonly<Record<string, unknown>> {
  return isObject(data) ? data : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

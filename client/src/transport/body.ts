/** A body as fetch takes it, its type, and whether it can be sent twice. */
export interface EncodedBody {
  readonly content: RequestInit['body'];
  readonly type: string | undefined;
  readonly isRepeatable: boolean;
}

const NO_BODY: EncodedBody = { content: undefined, type: undefined, isRepeatable: true };

/** Encodes a body: what fetch sends as it is, a form if it has a file, or else JSON. `type` is that of text and bytes; a form and a file bring their own. */
export function encodeBody(body: unknown, type: string | undefined): EncodedBody {
  if (body === undefined) return NO_BODY;
  if (body instanceof ReadableStream) return { content: body, type, isRepeatable: false };
  if (body instanceof FormData || body instanceof URLSearchParams) {
    return { content: body, type: undefined, isRepeatable: true };
  }
  if (type === 'multipart/form-data' || (type === undefined && hasFile(body))) {
    return { content: formOf(body as object), type: undefined, isRepeatable: true };
  }
  if (type !== undefined) return { content: body as RequestInit['body'], type, isRepeatable: true };
  return { content: JSON.stringify(body), type: 'application/json', isRepeatable: true };
}

function hasFile(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.values(body).some((value) => value instanceof Blob);
}

type FormValue = string | number | boolean | Blob | null | undefined;

/** A list becomes several values of one name. */
export function formOf(values: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values) as [string, FormValue | FormValue[]][]) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each instanceof Blob) form.append(name, each);
      else if (each !== undefined && each !== null) form.append(name, String(each));
    }
  }
  return form;
}

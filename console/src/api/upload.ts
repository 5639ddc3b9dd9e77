import { BASE } from '../base';
import { problemIn, unreachable } from './problem';
import { CONSOLE_HEADERS, inSession } from './request';

interface Upload {
  readonly body: File | FormData;
  /** Not for a FormData, whose type the browser sets. */
  readonly contentType?: string;
  readonly signal: AbortSignal;
  /** Called with the share of the body that is sent: from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends a file of any length, and returns the text of the answer. Throws an ApiProblem, and an AbortError once the signal is aborted. */
export async function upload(path: string, options: Upload): Promise<string> {
  const { status, text } = await inSession(() => send(path, options));
  if (status >= 200 && status < 300) return text;
  throw problemIn(status, text);
}

/** Only this old interface of browsers says how much of a body is sent. */
function send(path: string, { body, contentType, signal, onProgress }: Upload) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open('POST', BASE + path);
    for (const [name, value] of Object.entries(CONSOLE_HEADERS)) sent.setRequestHeader(name, value);
    if (contentType !== undefined) sent.setRequestHeader('Content-Type', contentType);
    const abort = () => sent.abort();
    signal.addEventListener('abort', abort, { once: true });
    sent.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sent.onload = () => resolve({ status: sent.status, text: sent.responseText });
    sent.onerror = () => reject(unreachable());
    sent.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    sent.onloadend = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) reject(new DOMException('The upload was cancelled.', 'AbortError'));
    else sent.send(body);
  });
}

/** The readers of `npm run bench -- streams`. */
import { once } from 'node:events';
import { request } from 'node:http';
import { Histogram } from './histogram.mjs';

const MARK = '\nevent: ';
const TIME = '"timestamp":"';

/** A client of the stream. It counts events, and notes the age of the last one of each piece that arrives. */
export class StreamReader {
  received = 0;
  lag = new Histogram();

  static async open({ url, headers }, tenantId, isReading) {
    const reader = new StreamReader();
    const sent = request(`${url}/v1/events/${tenantId}`, {
      agent: false,
      headers: { ...headers, Accept: 'text/event-stream' },
    }).end();
    const [response] = await once(sent, 'response');
    if (response.statusCode !== 200) throw new Error(`A stream answered ${response.statusCode}.`);
    reader.response = response;
    reader.isReading = isReading;
    response.on('error', () => undefined);
    if (isReading) response.on('data', (bytes) => reader.take(bytes));
    return reader;
  }

  /** A mark may be split between two pieces, so the end of a piece is kept. */
  take(bytes) {
    const text = (this.rest ?? '') + bytes.toString('latin1');
    let last = -1;
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) {
      this.received++;
      last = at;
    }
    if (last >= 0) {
      const at = text.indexOf(TIME, last);
      if (at >= 0 && at + 40 < text.length) {
        const time = Date.parse(text.slice(at + TIME.length, at + TIME.length + 24));
        this.lag.record(Math.max(0, Date.now() - time) * 1_000);
      }
    }
    const from = last < 0 ? 0 : last + 1;
    this.rest = text.slice(Math.max(from, text.length - MARK.length + 1));
  }

  close() {
    this.response.destroy();
  }
}

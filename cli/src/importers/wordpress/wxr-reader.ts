import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { UsageError } from '../../exit-code.js';

/** Elements inside each other. A WXR file has five levels. */
const MAX_DEPTH = 32;
/** Characters of an element. */
const MAX_TEXT = 32 * 1024 * 1024;
/** The elements of the channel that are read, each as a record. */
const RECORDS: ReadonlySet<string> = new Set(['item', 'wp:author', 'wp:category', 'wp:tag', 'wp:term']);
/** The elements of an item that it may have several times. */
const LISTS: ReadonlySet<string> = new Set(['category', 'wp:postmeta', 'wp:termmeta', 'wp:comment']);

/** An element of the channel: its texts by name, and what it may have several times. */
export interface WxrRecord {
  name: string;
  texts: Map<string, string>;
  lists: Map<string, WxrChild[]>;
}

export interface WxrChild {
  attributes: Readonly<Record<string, string>>;
  text: string;
  texts: Map<string, string>;
}

/** Reads the records of a WXR file one after the other, and the texts of the channel before them, as a record named `channel`. */
export async function* readWxr(file: string, repaired: (where: string) => void): AsyncGenerator<WxrRecord> {
  const reading = new WxrParser(repaired);
  const chunks = createReadStream(file, { encoding: 'utf8' });
  for await (const chunk of chunks) {
    reading.push(chunk as string);
    yield* reading.take();
  }
  reading.end();
  yield* reading.take();
}

/** Takes no DTD, and so no entities of the file's own. */
class WxrParser {
  private readonly parser = new SaxesParser({ fragment: false });
  private readonly path: string[] = [];
  private readonly channel: WxrRecord = { name: 'channel', texts: new Map(), lists: new Map() };
  private ready: WxrRecord[] = [];
  private record: WxrRecord | undefined;
  private child: WxrChild | undefined;
  private text = '';
  private isRss = false;

  constructor(repaired: (where: string) => void) {
    this.parser.on('doctype', () => {
      throw new UsageError('The file has a document type declaration, which a WXR file does not have.');
    });
    this.parser.on('error', (error) => {
      // Exports often have control characters, which XML does not allow.
      if (/disallowed character/.test(error.message)) return repaired(error.message.replace(/:\s*disallowed.*/s, ''));
      throw new UsageError(`The file is not well-formed XML: ${error.message.slice(0, 200)}`);
    });
    this.parser.on('opentag', ({ name, attributes }) => this.open(name, attributes as Record<string, string>));
    this.parser.on('closetag', ({ name }) => this.close(name));
    this.parser.on('text', (text) => this.add(text));
    this.parser.on('cdata', (text) => this.add(text));
  }

  push(chunk: string): void {
    this.parser.write(chunk);
  }

  end(): void {
    this.parser.close();
    if (!this.isRss) throw new UsageError('The file is not an export of WordPress: it has no channel of RSS.');
    if (this.channel.texts.size > 0) this.ready.push(this.channel);
  }

  *take(): Generator<WxrRecord> {
    const ready = this.ready;
    this.ready = [];
    yield* ready;
  }

  private open(name: string, attributes: Record<string, string>): void {
    this.path.push(name);
    if (this.path.length > MAX_DEPTH) throw new UsageError('The elements of the file are nested too deeply.');
    this.text = '';
    const [root, channel, record, child] = this.path;
    if (root !== 'rss' || (channel ?? 'channel') !== 'channel') {
      throw new UsageError('The file is not an export of WordPress: it has no channel of RSS.');
    }
    this.isRss ||= channel === 'channel';
    if (this.path.length === 3 && RECORDS.has(record!)) this.record = { name, texts: new Map(), lists: new Map() };
    if (this.path.length === 4 && this.record && LISTS.has(child!))
      this.child = { attributes, text: '', texts: new Map() };
  }

  private close(name: string): void {
    const depth = this.path.length;
    const { record, child, text } = this;
    if (depth === 3 && record) {
      this.ready.push(record);
      this.record = undefined;
    } else if (depth === 3) {
      this.channel.texts.set(name, text.trim());
    } else if (depth === 4 && record && child) {
      child.text = text.trim();
      const children = record.lists.get(name);
      if (children) children.push(child);
      else record.lists.set(name, [child]);
      this.child = undefined;
    } else if (depth === 4 && record) {
      if (!record.texts.has(name)) record.texts.set(name, name.endsWith(':encoded') ? text : text.trim());
    } else if (depth === 5 && child) {
      child.texts.set(name, text);
    }
    this.path.pop();
    this.text = '';
  }

  private add(text: string): void {
    this.text += text;
    if (this.text.length > MAX_TEXT)
      throw new UsageError(`An element of the file has more than ${MAX_TEXT} characters.`);
  }
}

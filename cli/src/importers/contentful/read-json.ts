import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import { UsageError } from '../../exit-code.js';

/** An item of one of the lists of an export. */
interface Item {
  list: string;
  value: unknown;
}

/** Reads the items of some lists of a JSON object one after the other, without holding the object. */
export async function* readLists(file: string, lists: readonly string[]): AsyncGenerator<Item> {
  let ready: Item[] = [];
  const parser = new JSONParser({ paths: lists.map((list) => `$.${list}.*`), keepStack: false });
  parser.onValue = ({ value, stack }) => void ready.push({ list: String(stack[1]?.key), value });
  parser.onError = (error) => {
    throw new UsageError(`The file is not valid JSON: ${error.message}`);
  };
  for await (const chunk of createReadStream(file)) {
    parser.write(chunk as Buffer);
    const items = ready;
    ready = [];
    yield* items;
  }
  if (!parser.isEnded) throw new UsageError('The file is not valid JSON: it ends early.');
}

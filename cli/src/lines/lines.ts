import { createReadStream } from 'node:fs';
import { UsageError } from '../exit-code.js';

/** Characters of a line. Longer ones would fill the memory; the service takes at most a megabyte. */
const MAX_LINE = 16 * 1024 * 1024;

/** What is thrown for bad lines: a UsageError if they are those of a file. */
type FaultClass = new (message: string) => Error;

/**
 * The lines of a text that are not blank. Only a line feed ends a line, because JSON may contain the other line ends of Unicode. Reads no further than the
 * lines that are asked for.
 */
export async function* linesOf(
  content: AsyncIterable<unknown>,
  where: string,
  Fault: FaultClass = UsageError,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of content) {
    const [first = '', ...others] = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n');
    for (const [index, text] of [first, ...others].entries()) {
      if (index > 0) {
        const line = parts.join('');
        [parts, length] = [[], 0];
        if (line.trim() !== '') yield line;
      }
      parts.push(text);
      length += text.length;
      if (length > MAX_LINE) throw new Fault(`${where} has a line that is too long.`);
    }
  }
  const rest = parts.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

/** Parses a line of JSON. `where` names the file for people. */
export function parsedLine<Value>(line: string, where: string, Fault: FaultClass = UsageError): Value {
  try {
    return JSON.parse(line) as Value;
  } catch {
    throw new Fault(`${where} has a line that is not JSON.`);
  }
}

/** The objects of a file of JSON lines; none if there is no such file. */
export async function* linesOfFile<Item>(file: string): AsyncGenerator<Item> {
  try {
    for await (const line of linesOf(createReadStream(file), file)) yield parsedLine<Item>(line, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The same in groups of at most `size`. */
export async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

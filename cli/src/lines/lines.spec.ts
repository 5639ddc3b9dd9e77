import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../exit-code.js';
import { inGroups, linesOf, linesOfFile } from './lines.js';

const all = async <Item>(items: AsyncIterable<Item>) => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const chunks = async function* (...texts: (string | Buffer)[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
};

describe('lines', () => {
  it('are divided by line feeds only, wherever the chunks end', async () => {
    const text = Buffer.from('{"a":"\u2028\u2029\u0085"}\n\n  \r\nö');
    expect(await all(linesOf(chunks('x', 'y\nz', '\n'), 'it'))).toEqual(['xy', 'z']);
    expect(await all(linesOf(chunks(text.subarray(0, -1), text.subarray(-1)), 'it'))).toEqual([
      '{"a":"\u2028\u2029\u0085"}',
      'ö',
    ]);
    expect(await all(linesOf(chunks(), 'it'))).toEqual([]);
  });

  it('have a greatest length', async () => {
    const part = 'x'.repeat(1024 * 1024);
    const long = chunks('short\n', ...Array.from({ length: 17 }, () => part));
    await expect(all(linesOf(long, 'it'))).rejects.toThrow(new UsageError('it has a line that is too long.'));
  });

  it('of a file that is missing are none, and lines that are not JSON name the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trivet-lines-'));
    try {
      const file = join(folder, 'a.ndjson');
      expect(await all(linesOfFile(file))).toEqual([]);
      await writeFile(file, '{"a":1}\n{"b"');
      await expect(all(linesOfFile(file))).rejects.toThrow(new UsageError(`${file} has a line that is not JSON.`));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('come in groups', async () => {
    const numbers = async function* () {
      for (let number = 1; number <= 5; number++) yield await Promise.resolve(number);
    };
    expect(await all(inGroups(numbers(), 2))).toEqual([[1, 2], [3, 4], [5]]);
  });
});

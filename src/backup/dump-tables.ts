import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { partName } from './archive-format.js';
import type { ArchiveWriter } from './archive-writer.js';
import type { SequenceManifest, TableManifest } from './manifest.js';
import { TableParts } from './table-parts.js';
import { quoted, type Table } from './tables.js';
import { SEQUENCES } from './tables.sql.js';

const compress = promisify(gzip);
/** Bytes of the rows in a part, before compression. */
const PART_BYTES = 4 * 1024 * 1024;

/** Writes every row of a table, as it is in the snapshot of the client's transaction. */
export async function dumpTable(client: pg.Client, table: Table, archive: ArchiveWriter): Promise<TableManifest> {
  const parts = new TableParts(PART_BYTES);
  let number = 0;
  const write = async (part: Buffer | undefined): Promise<void> => {
    if (!part) return;
    // Use the fastest level: the server's cores have other work, and it compresses text well enough.
    const compressed = await compress(part, { level: constants.Z_BEST_SPEED });
    await archive.add(partName(table.name, ++number), compressed);
  };
  const text = `COPY (SELECT ${quoted(...table.columns)} FROM ${quoted(table.name)}) TO STDOUT`;
  for await (const chunk of client.query(copyTo(text))) await write(parts.push(chunk as Buffer));
  await write(parts.end());
  return { ...table, rows: parts.rows };
}

/** Reads the positions of the sequences. They are not part of a snapshot, and never behind it. */
export async function readSequences(client: pg.Client): Promise<SequenceManifest[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: SequenceManifest[] = [];
  for (const { name } of rows) {
    const state = await client.query<Omit<SequenceManifest, 'name'>>(
      `SELECT last_value::text, is_called FROM ${quoted(name)}`,
    );
    sequences.push(...state.rows.map((row) => ({ name, ...row })));
  }
  return sequences;
}

import type { ArchiveReader } from './archive-reader.js';
import { MANIFEST_ENTRY } from './archive-format.js';

export interface TableManifest {
  name: string;
  /** In the order of the values in each row. */
  columns: string[];
  rows: number;
}

export interface SequenceManifest {
  name: string;
  last_value: string;
  is_called: boolean;
}

/** What a backup holds. Written at its end, since the counts are only known then. */
export interface Manifest {
  /** When the snapshot of the database was taken, ISO 8601. */
  taken_at: string;
  /** The version of Trivet that wrote it. */
  trivet: string;
  /** The version of the server that it was read from. */
  postgres: string;
  /** Names of the migrations that had run, in their order. */
  migrations: string[];
  /** In an order in which rows find the rows that they refer to. */
  tables: TableManifest[];
  sequences: SequenceManifest[];
  media: {
    /** Files in a bucket are not in the backup. */
    stored_in: 'folder' | 'bucket';
    /** Rows of the table whose file is in the backup. */
    files: number;
    /** Rows whose file was missing in the folder already. */
    missing: number;
  };
  /** Names of the generated secrets. */
  keys: string[];
}

/** Throws a BackupError when the archive has no manifest. */
export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  for await (const entry of archive.entries()) {
    if (entry.name === MANIFEST_ENTRY) return JSON.parse(await archive.text(entry)) as Manifest;
  }
  throw archive.damaged();
}

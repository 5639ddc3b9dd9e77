import type { ArchiveReader } from './archive-reader.js';
import { MANIFEST_ENTRY } from './archive-format.js';

export interface TableManifest {
  name: string;
  /** The names in the order of the values in each row. */
  columns: string[];
  rows: number;
}

export interface SequenceManifest {
  name: string;
  last_value: string;
  is_called: boolean;
}

/** The contents of a backup. Written at its end, because the counts are only known then. */
export interface Manifest {
  /** The time at which the snapshot of the database was taken, ISO 8601. */
  taken_at: string;
  /** The version of Trivet that wrote the backup. */
  trivet: string;
  /** The extensions that were on. Backups of earlier versions lack it. */
  extensions?: readonly string[];
  /** The version of the PostgreSQL server. */
  postgres: string;
  /** The names of the migrations that had run, in their order. */
  migrations: string[];
  /** Ordered so that each row comes after the rows that it refers to. */
  tables: TableManifest[];
  sequences: SequenceManifest[];
  media: {
    /** Files in a bucket are not in the backup. */
    stored_in: 'folder' | 'bucket';
    /** Number of rows of `media` whose file is in the backup. */
    files: number;
    /** Number of rows of `media` whose file was missing in the folder. */
    missing: number;
  };
  /** The names of the generated secrets. */
  keys: string[];
}

/** Throws a BackupError if the archive has no manifest. */
export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  for await (const entry of archive.entries()) {
    if (entry.name === MANIFEST_ENTRY) return JSON.parse(await archive.text(entry)) as Manifest;
  }
  throw archive.damaged();
}

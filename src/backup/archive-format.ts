/**
 * The file of a backup is a plain tar file, so that it can be looked into and, if need be, loaded by hand:
 *
 * - `trivet-backup`: the name and version of this format.
 * - `media/<shard>/<id>/original`: the uploaded files, where `DATA_DIR/media` has them. Some may have been deleted before the snapshot of
 *   the database was taken.
 * - `keys/encryption-key`, `keys/demo-key`: the generated secrets of `DATA_DIR`.
 * - `tables/<name>/<number>.copy.gz`: rows in the text format of `COPY`, compressed; each part holds whole rows.
 * - `manifest.json`: what is in it (manifest.ts).
 * - `sha256`: the checksum of every byte before the header of this entry.
 */
export const FORMAT = 'trivet-backup 1';
export const FORMAT_ENTRY = 'trivet-backup';
export const MANIFEST_ENTRY = 'manifest.json';
export const CHECKSUM_ENTRY = 'sha256';

export function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.copy.gz`;
}

/** The table whose rows are in the entry; undefined for other entries. */
export function tableOf(entry: string): string | undefined {
  return /^tables\/(.+)\/\d+\.copy\.gz$/.exec(entry)?.[1];
}

/** `key` is that of the media storage. */
export function mediaName(key: string): string {
  return `media/${key}`;
}

/** The id of the media whose bytes are in the entry; undefined for other entries. */
export function mediaOf(entry: string): string | undefined {
  return /^media\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/original$/.exec(entry)?.[1];
}

export function keyName(file: string): string {
  return `keys/${file}`;
}

/**
 * A backup file is a plain tar file, so that it can be inspected and, if necessary, loaded by hand:
 *
 * - `trivet-backup`: the name and version of this format.
 * - `media/<shard>/<id>/original`, `media/<shard>/<id>/private`: the uploaded files, and those of submissions, with the paths that they have
 *   in `DATA_DIR/media`. Some may have been deleted before the snapshot of the database was taken.
 * - `keys/encryption-key`, `keys/demo-key`: the generated secrets of `DATA_DIR`.
 * - `tables/<name>/<number>.copy.gz`: rows in the text format of `COPY`, compressed. Each part contains whole rows.
 * - `manifest.json`: the contents of the backup (manifest.ts).
 * - `sha256`: the checksum of all bytes before the header of this entry.
 */
export const FORMAT = 'trivet-backup 1';
export const FORMAT_ENTRY = 'trivet-backup';
export const MANIFEST_ENTRY = 'manifest.json';
export const CHECKSUM_ENTRY = 'sha256';

export function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.copy.gz`;
}

/** Returns the table whose rows are in the entry; undefined for other entries. */
export function tableOf(entry: string): string | undefined {
  return /^tables\/(.+)\/\d+\.copy\.gz$/.exec(entry)?.[1];
}

const MEDIA = /^media\/([0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:original|private))$/;

/** `key` is the key in the media storage. */
export function mediaName(key: string): string {
  return `media/${key}`;
}

/** Returns the file whose bytes are in the entry; undefined for other entries. */
export function mediaOf(entry: string): { id: string; key: string } | undefined {
  const [, key, id] = MEDIA.exec(entry) ?? [];
  return key === undefined || id === undefined ? undefined : { id, key };
}

export function keyName(file: string): string {
  return `keys/${file}`;
}

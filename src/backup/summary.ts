import type { Manifest } from './manifest.js';

/** `20 tables with 1,204 rows and 3 media files` */
export function describeCounts({ tables, media }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${describeCount(tables.length, 'table')} with ${describeCount(rows, 'row')} and ${describeCount(media.files, 'media file')}`;
}

/** `12.3 MB` */
export function describeSize(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1_000 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}

/** `1 row`, `2 rows` */
export function describeCount(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

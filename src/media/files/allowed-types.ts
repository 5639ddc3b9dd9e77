const OFFICE_OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** The types that may be uploaded unless `MEDIA_TYPES` is set: those of sites and of office work, but no programs or archives. */
export const DEFAULT_TYPES: readonly string[] = [
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'image/heic',
  'image/heif',
  'image/tiff',
  'image/bmp',
  'image/x-icon',
  'audio/*',
  'video/*',
  'application/ogg',
  'application/pdf',
  'application/rtf',
  `${OFFICE_OPEN_XML}.wordprocessingml.document`,
  `${OFFICE_OPEN_XML}.spreadsheetml.sheet`,
  `${OFFICE_OPEN_XML}.presentationml.presentation`,
  `${OPEN_DOCUMENT}.text`,
  `${OPEN_DOCUMENT}.spreadsheet`,
  `${OPEN_DOCUMENT}.presentation`,
  'application/json',
  'application/xml',
  'text/*',
];

/** Whether files of a type may be uploaded. `image/*` allows every image. */
export function isAllowed(mime: string, allowed: readonly string[]): boolean {
  return allowed.includes(mime) || allowed.includes(`${mime.slice(0, mime.indexOf('/'))}/*`);
}

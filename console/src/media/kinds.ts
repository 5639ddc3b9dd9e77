/** Kinds of files that people tell apart, as the API filters them. */
export const KINDS = [
  { id: 'images', name: 'Images', mimeType: 'image/*' },
  { id: 'videos', name: 'Videos', mimeType: 'video/*' },
  { id: 'sound', name: 'Sound', mimeType: 'audio/*' },
  { id: 'documents', name: 'Documents and archives', mimeType: 'application/*' },
  { id: 'text', name: 'Text', mimeType: 'text/*' },
] as const;

/** The types of images of which the service makes smaller copies. */
const PICTURES = new Set(['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'].map((type) => `image/${type}`));

/** Types that nobody would know by the end of their name. */
const NAMES: Readonly<Record<string, string>> = {
  'application/gzip': 'GZIP',
  'application/msword': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.ms-powerpoint': 'PowerPoint',
  'application/vnd.oasis.opendocument.presentation': 'ODP',
  'application/vnd.oasis.opendocument.spreadsheet': 'ODS',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'audio/mpeg': 'MP3',
  'image/vnd.microsoft.icon': 'ICO',
  'text/plain': 'Text',
};

/** Whether the console can show the file: nothing is shown that has no copy without code. */
export function isPicture({ mime_type: type }: { readonly mime_type: string }): boolean {
  return PICTURES.has(type);
}

/** `JPEG`, `PDF`, `Word` */
export function typeInWords(mimeType: string): string {
  const [type = ''] = (mimeType.split('/')[1] ?? mimeType).replace(/^(?:x-|vnd\.)/, '').split('+');
  return NAMES[mimeType] ?? type.toUpperCase();
}

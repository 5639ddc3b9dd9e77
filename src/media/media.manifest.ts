import { defineModule } from '../modules/module-manifest.js';

const file = async () => (await import('./media.dto.js')).MediaDto;

/** Uploaded files and image variants. */
export const media = defineModule({
  name: 'media',
  area: 'media',
  ids: { med: 'media file' },
  events: {
    'media.uploaded': { description: 'A file was uploaded.', data: file },
    'media.deleted': { description: 'A file was deleted, with its variants.', data: file },
  },
  tags: [
    {
      name: 'Media',
      guide: 'reference/media',
      description: 'Media files are files that entries can show. Uploads are multipart requests.',
    },
  ],
  tables: () => import('./media.tables.js'),
  module: async () => (await import('./media.module.js')).MediaModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    media: typeof media;
  }
}

import { defineRoom } from '../rooms/room.js';

/** Uploaded files and image variants. */
export const media = defineRoom({
  name: 'media',
  area: 'media',
  ids: { med: 'media file' },
  events: ['media.uploaded', 'media.deleted'],
  tags: [
    {
      name: 'Media',
      description:
        'Media files are files that entries can show. Uploads are multipart requests. All other request bodies are JSON.',
    },
  ],
  tables: () => import('./media.tables.js'),
  module: async () => (await import('./media.module.js')).MediaModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    media: typeof media;
  }
}

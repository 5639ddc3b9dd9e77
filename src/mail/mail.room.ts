import { defineRoom } from '../rooms/room.js';

/** Emails about submissions. */
export const mail = defineRoom({
  name: 'mail',
  ids: { mail: 'email' },
  tables: () => import('./mail.tables.js'),
  module: async () => (await import('./mail.module.js')).MailModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    mail: typeof mail;
  }
}

import { defineRoom } from '../rooms/room.js';

/** Forms and their submissions. */
export const forms = defineRoom({
  name: 'forms',
  area: 'forms',
  ids: { frm: 'form', sub: 'submission' },
  events: ['form.submitted'],
  tags: [
    { name: 'Forms', description: 'A form defines the fields that visitors can submit.' },
    { name: 'Submissions', description: 'A submission contains the values that a visitor submitted to a form.' },
  ],
  tables: () => import('./forms.tables.js'),
  module: async () => (await import('./forms.module.js')).FormsModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    forms: typeof forms;
  }
}

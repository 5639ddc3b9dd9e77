import { defineRoom } from '../rooms/room.js';

/** Content types and their entries. */
export const content = defineRoom({
  name: 'content',
  area: 'content',
  rights: ['read', 'read:published', 'write'],
  ids: { ct: 'content type', ent: 'entry' },
  events: ['entry.created', 'entry.updated', 'entry.deleted', 'entry.published', 'entry.schedule_failed'],
  tags: [
    {
      name: 'Content types',
      description:
        'A content type defines the structure of entries. It has a name, a slug and a list of field definitions.',
    },
    {
      name: 'Entries',
      description:
        'An entry is a record of a content type. Its values match the fields of the content type. When a content ' +
        'type gains a required field, entries without a value stay as they are. The value is required when such ' +
        'an entry is published, when it is updated while it is published, or when that field is changed. To make ' +
        'an update or a deletion conditional, send the `ETag` of the version that you read as `If-Match`.',
    },
    {
      name: 'History',
      description:
        'Every change of an entry is a version, whose number is the one in the `ETag` of the entry. `VERSIONS_KEPT` says how many ' +
        'versions an entry keeps. A change of the content type makes no version, and a deleted entry has none.',
    },
    {
      name: 'Drafts',
      description:
        'An entry may have one draft: values that are saved but not live. Publishing the draft makes them live. To make a change of ' +
        'a draft conditional, send the `ETag` of the draft that you read as `If-Match`.',
    },
    {
      name: 'Schedules',
      description:
        'A schedule publishes an entry, or makes it a draft, at a time: within 5 seconds, exactly once. A time that was carried out ' +
        'disappears from the schedule, and a schedule without times is gone. If a time cannot be carried out, the entry stays as it is, ' +
        '`entry.schedule_failed` is emitted, and nothing more of the schedule is carried out until it is replaced.',
    },
  ],
  tables: () => import('./content.tables.js'),
  module: async () => (await import('./content.module.js')).ContentModule,
});

declare module '../rooms/room.js' {
  interface DeclaredRooms {
    content: typeof content;
  }
}

import { defineModule } from '../modules/module-manifest.js';

const contentType = async () => (await import('./content-types.dto.js')).ContentTypeDto;
const entry = async () => (await import('./entries/entries.dto.js')).EntryEventDataDto;

/** Content types and their entries. */
export const content = defineModule({
  name: 'content',
  area: 'content',
  rights: ['read', 'read:published', 'write', 'draft'],
  ids: { ct: 'content type', ent: 'entry', chg: 'change', pur: 'purge' },
  events: {
    'content_type.created': { description: 'A content type was created.', data: contentType },
    'content_type.updated': {
      description:
        'A content type was changed. A change of a type with many entries is carried out in the background, and emits the event when all ' +
        'readers see it.',
      data: contentType,
    },
    'content_type.deleted': {
      description: 'A content type was deleted. `entry.deleted` of each of its entries comes before.',
      data: contentType,
    },
    'entry.created': { description: 'An entry was created.', data: entry, isErasable: true },
    'entry.updated': {
      description: 'An entry was changed. Every update emits it, also one that publishes the entry.',
      data: entry,
      isErasable: true,
    },
    'entry.deleted': {
      description: 'An entry was deleted, by itself or with its content type.',
      data: entry,
      isErasable: true,
    },
    'entry.published': {
      description:
        'An entry was published. Every request that sends `status: published` emits it, also for a published entry.',
      data: entry,
      isErasable: true,
      example: { status: 'published' },
    },
    'entry.unpublished': {
      description: 'A published entry became a draft.',
      data: entry,
      isErasable: true,
      example: { status: 'draft' },
    },
    'entry.review_requested': {
      description:
        'A draft was marked as ready for review. The data is the draft, with the note, and without who asked. An entry that was never published ' +
        'is its own draft.',
      data: async () => (await import('./drafts/drafts.dto.js')).ReviewRequestedDto,
      isErasable: true,
    },
    'entry.schedule_failed': {
      description: 'The schedule of an entry could not be carried out. The data is the schedule, with the problem.',
      data: async () => (await import('./schedules/schedules.dto.js')).ScheduleDto,
      isErasable: true,
      example: { state: 'failed' },
    },
  },
  tags: [
    {
      name: 'Content types',
      guide: 'reference/content-types',
      description:
        'A content type defines the structure of entries. It has a name, a slug and a list of field definitions.',
    },
    {
      name: 'Locales',
      guide: 'reference/locales',
      description:
        'The languages of the tenant. Each field of a content type that is `localized` has a value in each of them.',
    },
    {
      name: 'Entries',
      guide: 'reference/entries',
      description:
        'An entry is a record of a content type. Its values match the fields of the content type. When a content ' +
        'type gains a required field, entries without a value stay as they are. The value is required when such ' +
        'an entry is published, when it is updated while it is published, or when that field is changed. To make ' +
        'an update or a deletion conditional, send the `ETag` of the version that you read as `If-Match`.',
    },
    {
      name: 'Bulk',
      guide: 'reference/bulk-import-export',
      description: 'Many entries are changed by one request, imported from a stream of lines, and exported as one.',
    },
    {
      name: 'History',
      guide: 'reference/history',
      description:
        'Every change of an entry is a version, whose number is the one in the `ETag` of the entry. `VERSIONS_KEPT` says how many ' +
        'versions an entry keeps. A change of the content type makes no version, and a deleted entry has none.',
    },
    {
      name: 'Drafts',
      guide: 'reference/drafts-and-schedules',
      description:
        'An entry may have one draft: values that are saved but not live. Publishing the draft makes them live. To make a change of ' +
        'a draft conditional, send the `ETag` of the draft that you read as `If-Match`. A draft that is ready may wait for review.',
    },
    {
      name: 'Schedules',
      guide: 'reference/drafts-and-schedules',
      description:
        'A schedule publishes an entry, or makes it a draft, at a time: within 5 seconds, exactly once. A time that was carried out ' +
        'disappears from the schedule, and a schedule without times is gone. If a time cannot be carried out, the entry stays as it is, ' +
        '`entry.schedule_failed` is emitted, and nothing more of the schedule is carried out until it is replaced.',
    },
  ],
  tables: () => import('./content.tables.js'),
  module: async () => (await import('./content.module.js')).ContentModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    content: typeof content;
  }
}

import type { DefinedField } from '../../api/type-changes';

interface Template {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** What a type that is made from it is called at first. */
  readonly name: string;
  readonly fields: readonly DefinedField[];
}

const TITLE: DefinedField = { name: 'title', type: 'text', label: 'Title', required: true, max: 200 };
const COVER: DefinedField = { name: 'cover', type: 'media', label: 'Picture' };
const ADDRESS: DefinedField = {
  name: 'slug',
  type: 'text',
  label: 'Address',
  help: 'The last part of the address of its page.',
  required: true,
  unique: true,
  pattern: '^[a-z0-9-]+$',
};

/** What many types begin with. All of it can be changed before the type is made. */
export const TEMPLATES: readonly Template[] = [
  { id: 'empty', title: 'Nothing', about: 'Add the fields yourself.', name: '', fields: [] },
  {
    id: 'article',
    title: 'Article',
    about: 'Title, address, summary, text, picture and date.',
    name: 'Article',
    fields: [
      TITLE,
      ADDRESS,
      { name: 'summary', type: 'text', label: 'Summary', max: 300, help: 'For lists and search engines.' },
      { name: 'body', type: 'rich_text', label: 'Text' },
      COVER,
      { name: 'date', type: 'date', label: 'Date' },
    ],
  },
  {
    id: 'product',
    title: 'Product',
    about: 'Name, number, price, description, pictures.',
    name: 'Product',
    fields: [
      { name: 'name', type: 'text', label: 'Name', required: true, max: 200 },
      { name: 'sku', type: 'text', label: 'Product number', required: true, unique: true, max: 64 },
      { name: 'price', type: 'number', label: 'Price', min: 0 },
      { name: 'description', type: 'rich_text', label: 'Description' },
      { name: 'pictures', type: 'media', label: 'Pictures', multiple: true },
      { name: 'available', type: 'boolean', label: 'Available', default: true },
    ],
  },
  {
    id: 'event',
    title: 'Event',
    about: 'Title, beginning, end, place and description.',
    name: 'Event',
    fields: [
      TITLE,
      { name: 'starts_at', type: 'datetime', label: 'Begins', required: true },
      { name: 'ends_at', type: 'datetime', label: 'Ends' },
      { name: 'place', type: 'text', label: 'Place' },
      { name: 'description', type: 'rich_text', label: 'Description' },
      COVER,
      { name: 'tickets', type: 'url', label: 'Tickets' },
    ],
  },
  {
    id: 'page',
    title: 'Page with blocks',
    about: 'Title, address, and blocks of texts, pictures and quotes.',
    name: 'Page',
    fields: [
      TITLE,
      ADDRESS,
      {
        name: 'content',
        type: 'blocks',
        label: 'Content',
        blocks: [
          { name: 'text', label: 'Text', fields: [{ name: 'text', type: 'rich_text', label: 'Text', required: true }] },
          {
            name: 'picture',
            label: 'Picture',
            fields: [
              { name: 'picture', type: 'media', label: 'Picture', required: true },
              { name: 'caption', type: 'text', label: 'Caption' },
            ],
          },
          {
            name: 'quote',
            label: 'Quote',
            fields: [
              { name: 'quote', type: 'text', label: 'Quote', required: true },
              { name: 'source', type: 'text', label: 'Source' },
            ],
          },
        ],
      },
    ],
  },
];

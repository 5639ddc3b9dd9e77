import { toHTML } from '@portabletext/to-html';
import { escaped } from '../contentful/rich-text.js';
import { entryInHtml, fileInHtml } from '../moving/model.js';
import { assetKeyOf } from './asset-keys.js';
import { baseId, type SanityObject } from './shape.js';

interface Links {
  entryKey: (id: string) => string;
  /** Called for what has another form in HTML, or none. */
  note: (message: string) => void;
}

const EMBEDDED =
  'A reference inside a rich text is an element with its ID in data-entry: the site decides how to show it.';

type Blocks = Parameters<typeof toHTML>[0];

/** Renders portable text as HTML. */
export function portableHtml(blocks: unknown, { entryKey, note }: Links): string {
  const entry = (tag: string, id: string, inner: string) => {
    note(EMBEDDED);
    return `<${tag} data-entry="${entryInHtml(entryKey(baseId(id)))}">${inner}</${tag}>`;
  };
  const object = ({ value, isInline }: { value: unknown; isInline: boolean }) => {
    const { _type: type = '', _ref: ref } = value as SanityObject;
    const key = assetKeyOf(value as SanityObject);
    if (key !== undefined) return pictureOf(key, value as SanityObject);
    if (typeof ref === 'string') return entry(isInline ? 'span' : 'div', ref, '');
    note(`An object of the type ${type} inside a rich text is left out.`);
    return '';
  };
  const mark = ({ children, value, markType }: { children: string; value?: unknown; markType: string }) => {
    const link = Object.values((value ?? {}) as SanityObject).find(
      (one) => typeof (one as SanityObject | null)?.['_ref'] === 'string',
    );
    const ref = (value as SanityObject | undefined)?.['_ref'] ?? (link as SanityObject | undefined)?.['_ref'];
    if (typeof ref === 'string') return entry('a', ref, children);
    note(`The mark ${markType} inside a rich text is left out.`);
    return children;
  };
  return toHTML(blocks as Blocks, {
    components: {
      unknownType: object,
      types: { image: object as never, file: object as never, reference: object as never },
      unknownMark: mark,
    },
    onMissingComponent: false,
  });
}

function pictureOf(key: string, value: SanityObject): string {
  const text = [value['alt'], value['caption']].find((one): one is string => typeof one === 'string');
  if (key.startsWith('files/'))
    return `<a href="${fileInHtml(key)}">${escaped(text ?? key.slice('files/'.length))}</a>`;
  return `<img src="${fileInHtml(key)}" alt="${escaped(text ?? '')}">`;
}

import { createDocument, type Extensions, getHTMLFromFragment, getSchema } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { StarterKit } from '@tiptap/starter-kit';

/** What the editor knows of HTML. It adds nothing to what it reads, such as attributes of links, or a line at the end. */
export const EXTENSIONS: Extensions = [
  StarterKit.configure({
    link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
    trailingNode: false,
  }),
  Image.configure({ inline: true }),
];

const schema = getSchema(EXTENSIONS);

/** Whether the editor would write the HTML as it reads it, byte for byte. */
export function isKept(html: string): boolean {
  if (html === '') return true;
  try {
    return getHTMLFromFragment(createDocument(html, schema).content, schema) === html;
  } catch {
    return false;
  }
}

/** What the types of fields are made of. The client knows these marks by their names. */
const HELPERS: Readonly<Record<string, string>> = {
  EntryId: `/** The ID of an entry of a content type. The mark exists in types only: the value is a string. */
type EntryId<Type extends string> = string & { readonly '~entry'?: Type };`,

  KeptEntryId: `/** The ID of an entry that cannot be deleted as long as it is referred to. */
type KeptEntryId<Type extends string> = EntryId<Type> & { readonly '~kept'?: true };`,

  MediaValue: `/** A picture or another file. What is optional is there with \`view: 'full'\`, or if the field is included. */
interface MediaValue {
  url: string;
  alt: string;
  id?: string;
  mime_type?: string;
  width?: number;
  height?: number;
  variants?: { width: number; url: string }[];
}`,

  MediaInput: `/** A file that was uploaded, or the URL of another one. */
type MediaInput = { id: string; alt?: string } | { url: string; alt: string };`,

  Json: `/** Any JSON value. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };`,

  SentFile: `/** A file that a visitor sends: a File or a Blob. */
interface SentFile {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}`,
};

/** Names that no content type and no form may take in the file: those of its helpers, and of what the file uses. */
export const RESERVED = [...Object.keys(HELPERS), 'Schema', 'Promise', 'ArrayBuffer', 'Array', 'Record'];

export const HELPER_TYPES = Object.values(HELPERS)
  .map((text) => text.replace('*/\n', '*/\nexport '))
  .join('\n\n');

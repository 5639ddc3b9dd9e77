import { type EntryAddress, entryPath } from '../../../api/entry';

/** An entry as a page shows it. */
export interface ShownEntry extends EntryAddress {
  /** Where the service is. */
  readonly url: string;
  /** Whether the values of the draft are on top. */
  readonly isWithDraft: boolean;
}

/** The request that answers what is shown. The key is not a part of it. */
export function curlOf({ url, isWithDraft, ...address }: ShownEntry): string {
  const query = new URLSearchParams({
    ...(isWithDraft && { preview: 'true' }),
    ...(address.locale !== undefined && { locale: address.locale }),
  }).toString();
  const target = `${url}${entryPath(address)}${query === '' ? '' : `?${query}`}`;
  return `curl -H "Authorization: Bearer $TRIVET_KEY" ${quotedForShell(target)}`;
}

/** The same with the client for TypeScript. */
export function typeScriptOf({ url, tenantId, type, id, isWithDraft }: ShownEntry): string {
  const text = (value: string) =>
    JSON.stringify(value).replace(/'/g, "\\'").replace(/^"|"$/g, "'").replace(/\\"/g, '"');
  const options = isWithDraft ? ', { preview: true }' : '';
  return `import { createClient } from '@trivet/client';

const trivet = createClient({
  url: ${text(url)},
  tenant: ${text(tenantId)},
  key: process.env['TRIVET_KEY'],
});
const entry = await trivet.entries(${text(type)}).get(${text(id)}${options});
`;
}

function quotedForShell(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

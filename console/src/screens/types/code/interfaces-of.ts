/** The interfaces of one content type out of the file of all types. The whole file if they are not found in it. */
export function interfacesOf(file: string, slug: string): string {
  const property = new RegExp(`^ {4}["']?${slug}["']?: \\{[\\s\\S]*?^ {4}\\};`, 'm').exec(file)?.[0] ?? '';
  const names = new Set(property.match(/\b[A-Z]\w*\b/g) ?? []);
  const parts = file.split(/\n{2,}/).filter((part) => {
    const name = /^export interface (\w+)/m.exec(part)?.[1];
    return name !== undefined && name !== 'Schema' && names.has(name);
  });
  return parts.length === 0 ? file : `${parts.join('\n\n')}\n`;
}

/** What a type of the file is named for: a content type as it is read or written, or a form. */
export interface InterfaceNames {
  fields: string;
  values: string;
}

/**
 * Names the types of the file for slugs. Different slugs have different names, and no name is one of `reserved`. A name changes only when
 * a content type or a form is added or removed whose name it would be.
 */
export class NamesInFile {
  private readonly taken: Set<string>;

  constructor(reserved: Iterable<string>) {
    this.taken = new Set(reserved);
  }

  ofContentType(slug: string): InterfaceNames {
    return this.claim(pascalCase(slug), ['', 'Values']);
  }

  ofForm(slug: string): InterfaceNames {
    return this.claim(pascalCase(slug), ['Submission', 'Submission']);
  }

  private claim(name: string, [read = '', written = '']: string[]): InterfaceNames {
    let own = name;
    while (this.taken.has(own + read) || this.taken.has(own + written)) own += '_';
    const names = { fields: own + read, values: own + written };
    for (const one of Object.values(names)) this.taken.add(one);
    return names;
  }
}

/** `blog-post` becomes `BlogPost`. A digit that begins a word keeps a `_` before it, so that `a-1` and `a1` differ. */
function pascalCase(slug: string): string {
  return slug
    .split('-')
    .map((word) => (/^\d/.test(word) ? `_${word}` : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

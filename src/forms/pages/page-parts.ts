import { Injectable } from '@nestjs/common';
import type { CompiledForm } from '../form-schemas.js';
import type { Words } from './texts/words.js';

/** What a feature adds to the form on a page. */
export interface PagePart {
  /** HTML inside the form: hidden fields, for example. */
  html: string;
  /** HTML at the end of the form, below its button: what changes its height here does not move the button. */
  end?: string;
  /** Whether the page must load its script. */
  needsScript?: boolean;
}

type PagePartOf = (tenantId: string, form: CompiledForm, words: Words) => PagePart | undefined;

/** The features that add something to the pages with forms, such as a signed time. */
@Injectable()
export class PageParts {
  private readonly parts: PagePartOf[] = [];

  add(part: PagePartOf): void {
    this.parts.push(part);
  }

  /** Returns what all features add to the page of the form. */
  of(tenantId: string, form: CompiledForm, words: Words): PagePart {
    const parts = this.parts.flatMap((part) => part(tenantId, form, words) ?? []);
    return {
      html: parts.map(({ html }) => html).join('\n'),
      end: parts.flatMap(({ end }) => end ?? []).join('\n'),
      needsScript: parts.some((part) => part.needsScript),
    };
  }
}

import type { DefinedType } from '../../../api/type-changes';
import type { TypeDraft } from './draft';

/** The type as it is stored. */
interface StoredType {
  readonly type: DefinedType;
  /** Its version, for `If-Match`. */
  readonly tag: string;
  readonly draft: TypeDraft;
}

/** A stored type, and what it shall be. */
export interface Editing {
  readonly stored: StoredType;
  readonly draft: TypeDraft;
}

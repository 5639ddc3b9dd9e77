import { request } from './request';

/** One change of an entry, as the API takes it. */
export type BulkOperation =
  | { readonly op: 'update'; readonly content_type: string; readonly entry_id: string; readonly status: string }
  | { readonly op: 'delete'; readonly content_type: string; readonly entry_id: string }
  | {
      /** Updates the entry with the unique value `key`, or creates one. */
      readonly op: 'upsert';
      readonly content_type: string;
      readonly key: Readonly<Record<string, string>>;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly status: string;
    };

/** What became of it. */
interface BulkResult {
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  readonly entry_id?: string;
  readonly problem?: {
    readonly code: string;
    readonly detail: string;
    readonly errors?: readonly { readonly message: string }[];
  };
}

/** Changes each entry for itself: some may fail while others do not. The results have the order of the operations. */
export async function changeEntries(
  tenantId: string,
  operations: readonly BulkOperation[],
): Promise<readonly BulkResult[]> {
  const path = `/v1/content/${encodeURIComponent(tenantId)}/bulk`;
  return (await request<{ data: BulkResult[] }>('POST', path, { body: { operations, atomic: false } })).data;
}

import { type BlockDefinition, type ContentType, type FieldDefinition, typesPath } from './content-types';
import type { ProblemBody } from './problem';
import { download, request, requestTagged } from './request';

/** A field with every attribute that it may have. */
export interface DefinedField extends FieldDefinition {
  readonly pattern?: string;
  readonly default?: unknown;
  readonly on_delete?: 'keep' | 'refuse' | 'clear';
  /** Texts that become rich text are HTML already. */
  readonly html?: boolean;
  /** Only sent: the name that the field has had until now. */
  readonly renamed_from?: string;
  readonly fields?: readonly DefinedField[];
  readonly blocks?: readonly DefinedBlock[];
}

export interface DefinedBlock extends BlockDefinition {
  readonly fields: readonly DefinedField[];
}

export interface DefinedType extends ContentType {
  readonly fields: readonly DefinedField[];
  readonly public?: boolean;
  readonly language?: string;
  readonly preview_url?: string;
}

/** What creating sends, and, with what changes alone, updating. `null` removes what was set. */
export interface TypeBody {
  readonly name?: string;
  readonly slug?: string;
  readonly fields?: readonly DefinedField[];
  readonly public?: boolean;
  readonly language?: string | null;
  readonly preview_url?: string | null;
}

export interface PlanStep {
  readonly op: 'add' | 'remove' | 'rename' | 'retype' | 'tighten' | 'relax' | 'describe';
  /** With the names around it: `seo.title`. */
  readonly field: string;
  readonly class: 'safe' | 'needs_data' | 'lossy';
  readonly entries: number;
  readonly failing: number;
  readonly samples: readonly { readonly entry_id: string; readonly message: string }[];
}

/** A change that goes on while the type is as it was. */
export interface SchemaChange {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly processed: number;
  readonly total: number;
  readonly problem?: ProblemBody;
}

/** A stored type, and the version that a change is made to. */
interface TypeVersion {
  readonly id: string;
  readonly tag: string;
}

interface Data<T> {
  readonly data: T;
}

function typePath(tenantId: string, type: string): string {
  return `${typesPath(tenantId)}/${encodeURIComponent(type)}`;
}

/** The type with all of its attributes, and its version. */
export async function readType(tenantId: string, type: string, signal?: AbortSignal) {
  const { body, tag } = await requestTagged<Data<DefinedType>>('GET', typePath(tenantId, type), { signal });
  return { type: body.data, tag };
}

export async function createType(tenantId: string, body: TypeBody): Promise<DefinedType> {
  return (await request<Data<DefinedType>>('POST', typesPath(tenantId), { body })).data;
}

/** What a change would do, step by step. */
export async function planType(
  tenantId: string,
  { id, tag }: TypeVersion,
  body: TypeBody,
  signal?: AbortSignal,
): Promise<readonly PlanStep[]> {
  const options = { body, signal, headers: { 'If-Match': tag }, isLong: true };
  const path = `${typePath(tenantId, id)}?dry_run=true`;
  return (await request<Data<{ steps: PlanStep[] }>>('PUT', path, options)).data.steps;
}

/** Changes the type. A change of many entries is answered at once, and goes on. */
export async function updateType(
  tenantId: string,
  { id, tag }: TypeVersion,
  body: TypeBody,
): Promise<DefinedType | SchemaChange> {
  const options = { body, headers: { 'If-Match': tag, Prefer: 'respond-async' }, isLong: true };
  return (await request<Data<DefinedType | SchemaChange>>('PUT', typePath(tenantId, id), options)).data;
}

export async function getSchemaChange(tenantId: string, id: string, signal?: AbortSignal): Promise<SchemaChange> {
  const path = `/v1/content/${encodeURIComponent(tenantId)}/changes/${id}`;
  return (await request<Data<SchemaChange>>('GET', path, { signal })).data;
}

export async function deleteType(tenantId: string, { id, tag }: TypeVersion): Promise<void> {
  await request('DELETE', typePath(tenantId, id), { headers: { 'If-Match': tag }, isLong: true });
}

/** The types of the tenant's content types and forms, as one file. */
export async function getTypeScript(tenantId: string, signal: AbortSignal): Promise<string> {
  return (await download(`/v1/contract/${encodeURIComponent(tenantId)}/types.ts`, signal)).text();
}

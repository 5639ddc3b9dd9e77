import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { Type, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsEmail,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { IfPresent } from '../validation/if-present.js';
import { describeError, parseJson, toSentence } from './json-settings.js';
import { conflictOf, isScope } from './scopes.js';
import { weaknessOf } from './weak-keys.js';
import { isBlank, trimBlanks } from '../validation/blank.js';

export interface ApiKeyConfig {
  /** Unique in its tenant. */
  name: string;
  /** SHA-256 of the key, 32 bytes. The key itself is not kept. */
  hash: Buffer;
  /** Why the key is weak, as the end of a sentence. */
  weakness?: string;
  scopes: string[];
  /** Browser origins whose pages may use the key; undefined: those of the tenant. */
  allowedOrigins?: string[];
}

export interface TenantConfig {
  id: string;
  name: string;
  apiKeys: ApiKeyConfig[];
  /** Browser origins that may submit forms, and whose pages may read responses; undefined: any. */
  allowedOrigins?: string[];
  /** Requests per minute for each key; undefined: no limit. */
  rateLimit?: number;
  /** Receives emails about the tenant's webhooks; undefined: no emails. */
  contactEmail?: string;
  /** Email addresses that are invited as owners at the start unless they are members. */
  owners?: string[];
  /** Image variants are served only for signed queries. */
  signedVariants?: boolean;
  /** Uploaded images are stored upright and without metadata. */
  stripMetadata?: boolean;
  /** The most that the tenant may have, by the names of the configuration. Without an entry, there is no limit. */
  limits?: TenantLimits;
}

/** What a tenant's configuration can limit: numbers of resources, bytes of files, and requests with any of its keys per minute. */
export const LIMITS = [
  'entries',
  'submissions',
  'media_bytes',
  'content_types',
  'webhooks',
  'users',
  'requests_per_minute',
] as const;

export type LimitName = (typeof LIMITS)[number];

type TenantLimits = Readonly<Partial<Record<LimitName, number>>>;

/** Others are invited by the first ones. */
const MAX_OWNERS = 100;
const NAME = /^[^\p{Cc}]{1,255}$/u;
const HASH = /^sha256:([0-9a-f]{64})$/i;
const KEY = /^(?:sha256:[0-9a-f]{64}|(?!sha256:)[\x21-\x7e]{1,255})$/i;
const ORIGIN = /^(?:\*|[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d{1,5})?)$/;

// Optional properties use IfPresent. IsOptional would accept null, and `scopes: null` would grant every scope.

function IsOriginList(): PropertyDecorator {
  const message = 'must contain only * or origins such as https://acme.example (no path, lower case)';
  const checks = [IfPresent(), IsArray({ message: 'must be a list' }), Matches(ORIGIN, { each: true, message })];
  return (target, property) => checks.reverse().forEach((check) => check(target, property));
}

/** A name that can be seen. */
function IsName(): PropertyDecorator {
  const validate = (name: unknown) => typeof name === 'string' && NAME.test(name) && !isBlank(name);
  return ValidateBy({
    name: 'isName',
    validator: { validate, defaultMessage: () => 'must be a string of 1 to 255 characters' },
  });
}

class ApiKeySetting {
  @IfPresent()
  @IsName()
  name?: string;

  @Matches(KEY, { message: 'must be sha256:<64 hex digits>, or a key of 1 to 255 printable characters without spaces' })
  key!: string;

  @IfPresent()
  @IsArray({ message: 'must be a list' })
  @ArrayNotEmpty({ message: 'must contain at least one scope' })
  @IsString({ each: true, message: 'must contain only the names of scopes' })
  scopes?: string[];

  @IsOriginList()
  allowed_origins?: string[];
}

class MediaSetting {
  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  signed_variants?: boolean;

  @IfPresent()
  @IsBoolean({ message: 'must be true or false' })
  strip_metadata?: boolean;
}

/** Accepts numbers that JavaScript represents exactly. */
function IsLimit(least: number): PropertyDecorator {
  const message = `must be an integer from ${least} to ${Number.MAX_SAFE_INTEGER}`;
  const checks = [IfPresent(), IsInt({ message }), Min(least, { message }), Max(Number.MAX_SAFE_INTEGER, { message })];
  return (target, property) => checks.reverse().forEach((check) => check(target, property));
}

class LimitsSetting implements TenantLimits {
  @IsLimit(0)
  entries?: number;

  @IsLimit(0)
  submissions?: number;

  @IsLimit(0)
  media_bytes?: number;

  @IsLimit(0)
  content_types?: number;

  @IsLimit(0)
  webhooks?: number;

  @IsLimit(0)
  users?: number;

  @IsLimit(1)
  requests_per_minute?: number;
}

class TenantSetting {
  @Matches(/^ten_[a-z0-9]{1,40}$/, { message: 'must be ten_ followed by 1 to 40 characters of a-z and 0-9' })
  id!: string;

  @IsName()
  name!: string;

  @IsArray({ message: 'must be a list' })
  @IsObject({ each: true, message: 'must be a list of objects with name, key and scopes' })
  @ValidateNested({ each: true, message: 'must be a list of objects' })
  @Type(() => ApiKeySetting)
  api_keys!: ApiKeySetting[];

  @IsOriginList()
  allowed_origins?: string[];

  @IfPresent()
  @IsInt({ message: 'must be an integer, in requests per minute' })
  @Min(1, { message: 'must be at least 1' })
  rate_limit?: number;

  @IfPresent()
  @IsEmail({}, { message: 'must be an email address' })
  contact_email?: string;

  @IfPresent()
  @IsEmail({}, { each: true, message: 'must contain only email addresses' })
  @ArrayMaxSize(MAX_OWNERS, { message: `must contain at most ${MAX_OWNERS} email addresses` })
  @IsArray({ message: 'must be a list' })
  owners?: string[];

  @IfPresent()
  @IsObject({ message: 'must be an object' })
  @ValidateNested({ message: 'must be an object' })
  @Type(() => MediaSetting)
  media?: MediaSetting;

  @IfPresent()
  @IsObject({ message: 'must be an object' })
  @ValidateNested({ message: 'must be an object' })
  @Type(() => LimitsSetting)
  limits?: LimitsSetting;
}

/** Wraps the list, so that the list itself is validated too. */
class TenantList {
  @IsArray({ message: 'must be a list of tenants' })
  @IsObject({ each: true, message: 'must be a list of objects with id, name and api_keys' })
  @ValidateNested({ each: true, message: 'must be a list of objects' })
  @Type(() => TenantSetting)
  list!: TenantSetting[];
}

/**
 * Parses the JSON of `TENANTS` or of the file that `TENANTS_FILE` names; `source` is the variable's name. A key can have one of `scopes`.
 * Adds every error to `problems`, with its path (`TENANTS[0].api_keys[1].key`) and without a value. The result is then empty.
 */
export function parseTenants(
  json: string,
  source: string,
  problems: string[],
  scopes: readonly string[],
): TenantConfig[] {
  const list = parseJson(json, source, problems);
  if (list === undefined) return [];
  const setting = plainToInstance(TenantList, { list });
  const errors = validateSync(setting, { whitelist: true, forbidNonWhitelisted: true });
  const found = [
    ...errors.flatMap((error) => describeError(error, source, source)),
    ...(Array.isArray(setting.list)
      ? [...duplicates(setting.list, source), ...wrongScopes(setting.list, source, scopes)]
      : []),
  ];
  problems.push(...found.map(toSentence));
  return found.length ? [] : setting.list.map(toTenant);
}

/** Returns the duplicate IDs, keys and key names. Skips settings with another error. */
function duplicates(tenants: readonly Partial<TenantSetting>[], source: string): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const keys = new Map<string, string>();
  tenants.forEach((tenant, index) => {
    if (!(tenant instanceof TenantSetting)) return;
    if (ids.has(tenant.id)) problems.push(`${source}[${index}].id is already used by an earlier tenant`);
    if (typeof tenant.id === 'string') ids.add(tenant.id);
    if (!Array.isArray(tenant.api_keys)) return;
    const names = new Set<string>();
    tenant.api_keys.forEach((apiKey: unknown, keyIndex) => {
      if (!(apiKey instanceof ApiKeySetting) || typeof apiKey.key !== 'string') return;
      const path = `${source}[${index}].api_keys[${keyIndex}]`;
      const name = keyName(apiKey, keyIndex);
      if (names.has(name)) problems.push(`${path}.name is already used by an earlier key of the tenant`);
      names.add(name);
      const hash = hashOf(apiKey.key).toString('hex');
      const earlier = keys.get(hash);
      const own = describeKey(String(tenant.id), name, hash);
      if (earlier) {
        problems.push(`${path}.key, ${own}, is the same key as ${earlier}`);
      }
      keys.set(hash, earlier ?? `${path}.key, ${own}`);
    });
  });
  return problems;
}

/** Returns the keys with scopes that are unknown, or that a key cannot have together. Skips settings with another error. */
function wrongScopes(tenants: readonly Partial<TenantSetting>[], source: string, known: readonly string[]): string[] {
  return tenants.flatMap((tenant, index) => {
    if (!(tenant instanceof TenantSetting) || !Array.isArray(tenant.api_keys)) return [];
    return tenant.api_keys.flatMap((apiKey: unknown, keyIndex) => {
      if (!(apiKey instanceof ApiKeySetting) || !Array.isArray(apiKey.scopes)) return [];
      const scopes = apiKey.scopes.filter((scope: unknown) => typeof scope === 'string');
      const wrong = scopes.every((scope) => isScope(scope, known))
        ? conflictOf(scopes)
        : `must contain only these scopes: ${known.join(' ')}, and content:read@<slug> and others like it`;
      return wrong === undefined ? [] : [`${source}[${index}].api_keys[${keyIndex}].scopes ${wrong}`];
    });
  });
}

function toTenant(tenant: TenantSetting): TenantConfig {
  return {
    id: tenant.id,
    name: trimBlanks(tenant.name),
    apiKeys: tenant.api_keys.map((apiKey, index) => ({
      name: keyName(apiKey, index),
      hash: hashOf(apiKey.key),
      weakness: weaknessOf(apiKey.key, [tenant.id, tenant.name, tenant.id.slice('ten_'.length)]),
      scopes: apiKey.scopes ?? ['*'],
      allowedOrigins: apiKey.allowed_origins,
    })),
    allowedOrigins: tenant.allowed_origins,
    rateLimit: tenant.rate_limit,
    contactEmail: tenant.contact_email,
    owners: tenant.owners,
    signedVariants: tenant.media?.signed_variants,
    stripMetadata: tenant.media?.strip_metadata,
    limits: tenant.limits && { ...tenant.limits },
  };
}

/** Returns a sentence for each weak key. It has the names of the tenant and of the key, but never the key. */
export function describeWeakKeys(tenants: readonly TenantConfig[]): string[] {
  return tenants.flatMap(({ id, apiKeys }) =>
    apiKeys.flatMap(({ name, hash, weakness }) => {
      const key = describeKey(id, name, hash.toString('hex'));
      return weakness === undefined ? [] : `In TENANTS, ${key} ${weakness}. Generate another with: npm run key`;
    }),
  );
}

/** Leaves out the name if it is the key itself. */
function describeKey(tenantId: string, name: string, hash: string): string {
  const isKey = hashOf(name).toString('hex') === hash;
  return `${isKey ? 'a key' : `the key ${name}`} of ${tenantId}`;
}

function keyName(apiKey: ApiKeySetting, index: number): string {
  return apiKey.name ?? `key-${index + 1}`;
}

/** Returns the hash in `sha256:<hex>`, or the hash of a key in plain text. */
export function hashOf(key: string): Buffer {
  const hex = HASH.exec(key)?.[1];
  return hex ? Buffer.from(hex, 'hex') : createHash('sha256').update(key).digest();
}

import 'reflect-metadata';
import { isIP } from 'node:net';
import { Type, plainToInstance } from 'class-transformer';
import { ArrayNotEmpty, IsArray, IsObject, Matches, ValidateBy, ValidateNested, validateSync } from 'class-validator';
import { isBlank, trimBlanks } from '../../validation/blank.js';
import { IfPresent } from '../../validation/if-present.js';
import { describeError, parseJson, toSentence } from '../json-settings.js';
import { parseUrl } from '../../validation/parse-url.js';

/** A tenant that people enter by a provider, and with which role. */
interface OidcTenant {
  id: string;
  /** The role of who is in none of the groups; undefined: who is neither a member nor invited does not become one. */
  defaultRole?: string;
  /** Groups and their roles, in the order of the configuration. The first group that a person is in counts. */
  roles: readonly (readonly [group: string, role: string])[];
  /** The claim that names a person's groups: `groups`, or a path such as `realm_access.roles`. */
  groupsClaim: string;
}

/** A provider of OpenID Connect that people sign in with. */
export interface OidcProvider {
  /** Stands in the paths of its endpoints. */
  id: string;
  /** What the button says. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  tenants: readonly OidcTenant[];
}

const VARIABLE = 'OIDC_PROVIDERS';
const TEXT = /^[^\p{Cc}]{1,255}$/u;
const SCOPES = ['openid', 'email', 'profile'];

function IsText(subject = 'a string'): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && TEXT.test(value) && !isBlank(value);
  return ValidateBy({
    name: 'isText',
    validator: { validate, defaultMessage: () => `must be ${subject} of 1 to 255 characters` },
  });
}

/** An object whose values are texts: JSON knows no maps. */
function IsRoleMap(): PropertyDecorator {
  const isText = (text: unknown) => typeof text === 'string' && TEXT.test(text) && !isBlank(text);
  const validate = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([group, role]) => isText(group) && isText(role));
  const message = 'must be an object of groups and their roles, such as {"staff": "editor"}';
  return ValidateBy({ name: 'isRoleMap', validator: { validate, defaultMessage: () => message } });
}

function IsIssuer(): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && isIssuer(value);
  const message = 'must be an https URL without a query (http only for a loopback address)';
  return ValidateBy({ name: 'isIssuer', validator: { validate, defaultMessage: () => message } });
}

class OidcTenantSetting {
  @Matches(/^ten_[a-z0-9]{1,40}$/, { message: 'must be the ID of a tenant' })
  id!: string;

  @IfPresent()
  @IsText('the name of a role')
  default_role?: string;

  @IfPresent()
  @IsRoleMap()
  roles?: Record<string, string>;

  @IfPresent()
  @IsText('the name of a claim')
  groups_claim?: string;
}

class OidcProviderSetting {
  @Matches(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
    message: 'must have 1 to 40 characters of a-z, 0-9 and hyphens, with no hyphen at the ends',
  })
  id!: string;

  @IsText()
  name!: string;

  @IsIssuer()
  issuer!: string;

  @IsText()
  client_id!: string;

  @ValidateBy({
    name: 'isSecret',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value),
      defaultMessage: () => 'must be a string of printable characters without spaces',
    },
  })
  client_secret!: string;

  @IfPresent()
  @IsArray({ message: 'must be a list' })
  @Matches(/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, { each: true, message: 'must contain only names of scopes' })
  scopes?: string[];

  @IsArray({ message: 'must be a list' })
  @ArrayNotEmpty({ message: 'must name at least one tenant' })
  @IsObject({ each: true, message: 'must be a list of objects with id, default_role and roles' })
  @ValidateNested({ each: true, message: 'must be a list of objects' })
  @Type(() => OidcTenantSetting)
  tenants!: OidcTenantSetting[];
}

/** Wraps the list, so that the list itself is validated too. */
class OidcProviderList {
  @IsArray({ message: 'must be a list of providers' })
  @IsObject({
    each: true,
    message: 'must be a list of objects with id, name, issuer, client_id, client_secret and tenants',
  })
  @ValidateNested({ each: true, message: 'must be a list of objects' })
  @Type(() => OidcProviderSetting)
  list!: OidcProviderSetting[];
}

/**
 * Parses the JSON of `OIDC_PROVIDERS`. `tenantIds`: those of the configuration, if they are known. Adds every error to `problems`, with its path
 * and without a value, and returns an empty list then.
 */
export function parseOidcProviders(
  json: string,
  tenantIds: ReadonlySet<string> | undefined,
  problems: string[],
): OidcProvider[] {
  const list = parseJson(json, VARIABLE, problems);
  if (list === undefined) return [];
  const setting = plainToInstance(OidcProviderList, { list });
  const errors = validateSync(setting, { whitelist: true, forbidNonWhitelisted: true });
  const found = errors.flatMap((error) => describeError(error, VARIABLE, VARIABLE));
  if (found.length === 0) found.push(...contradictions(setting.list, tenantIds));
  problems.push(...found.map(toSentence));
  return found.length > 0 ? [] : setting.list.map(toProvider);
}

function contradictions(providers: readonly OidcProviderSetting[], tenantIds?: ReadonlySet<string>): string[] {
  const ids = new Set<string>();
  return providers.flatMap(({ id, tenants }, index) => {
    const path = `${VARIABLE}[${index}]`;
    const twice = ids.has(id) ? [`${path}.id is already used by an earlier provider`] : [];
    ids.add(id);
    const seen = new Set<string>();
    const wrong = tenants.flatMap((tenant, place) => {
      const isRepeated = seen.has(tenant.id);
      seen.add(tenant.id);
      if (isRepeated) return [`${path}.tenants[${place}].id repeats an earlier tenant of the provider`];
      return !tenantIds || tenantIds.has(tenant.id)
        ? []
        : [`${path}.tenants[${place}].id is not a tenant of the configuration`];
    });
    return [...twice, ...wrong];
  });
}

function toProvider({
  id,
  name,
  issuer,
  client_id,
  client_secret,
  scopes,
  tenants,
}: OidcProviderSetting): OidcProvider {
  return {
    id,
    name: trimBlanks(name),
    issuer,
    clientId: client_id,
    clientSecret: client_secret,
    scopes: [...new Set(['openid', ...(scopes ?? SCOPES)])],
    tenants: tenants.map((tenant) => ({
      id: tenant.id,
      defaultRole: tenant.default_role,
      roles: Object.entries(tenant.roles ?? {}),
      groupsClaim: tenant.groups_claim ?? 'groups',
    })),
  };
}

/** An issuer has neither a query nor a fragment (OpenID Connect Discovery 1.0, section 3). */
function isIssuer(text: string): boolean {
  const url = parseUrl(text);
  if (text.length > 2_048 || !url || /[\s\p{Cc}\\?#]/u.test(text)) return false;
  const { protocol, username, password, hostname } = url;
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

import { isRecord } from '../../fields/record.js';

/** Whom a provider says that it has signed in. */
export interface OidcIdentity {
  issuer: string;
  /** What identifies the person at the issuer. */
  subject: string;
  email?: string;
  /** The provider has verified that the address is the person's. Only such an address may be compared with others. */
  emailVerified: boolean;
  name?: string;
  /** Returns the groups in a claim of this name or path (`realm_access.roles`). */
  groups: (claim: string) => string[];
}

type Claims = Readonly<Record<string, unknown>>;

const TEXT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Whether the claims have an address, and the groups of each claim. Otherwise the provider is asked for more (`userinfo`). */
export function isComplete(claims: Claims, groupsClaims: readonly string[]): boolean {
  return claims['email'] !== undefined && groupsClaims.every((claim) => claimAt(claims, claim) !== undefined);
}

/** `token`: the claims of the ID token, which outrank those of `userinfo`. Returns undefined if there is no usable subject. */
export function identityOf(issuer: string, token: Claims, userinfo: Claims = {}): OidcIdentity | undefined {
  const subject = textOf(token['sub']);
  if (subject === undefined) return undefined;
  // Whether an address is verified must be said by what says the address.
  const source = token['email'] === undefined ? userinfo : token;
  const email = textOf(source['email']);
  return {
    issuer,
    subject,
    email,
    // Not the text "true": what a provider means by it, its users may be able to set.
    emailVerified: email !== undefined && source['email_verified'] === true,
    name: textOf(token['name']) ?? textOf(userinfo['name']),
    groups: (claim) => groupsIn(claimAt(token, claim) ?? claimAt(userinfo, claim)),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && TEXT.test(value) ? value : undefined;
}

/** A claim may have a name with dots, such as a URL. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined;
  let value: unknown = claims;
  for (const step of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value ?? undefined;
}

function groupsIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((group) => typeof group === 'string');
}

import { useSearch } from 'wouter';

/** Why signing in with a provider failed, by the code that the service leads back with. */
const SENTENCES: Readonly<Record<string, string>> = {
  oidc_expired: 'Signing in took too long, or was begun in another browser. Try again.',
  oidc_failed: 'The provider did not sign you in. Try again, or choose another way.',
  oidc_unknown: 'The provider signed you in, but you are a member of no tenant here. Ask an owner to invite you.',
  oidc_limit: 'The tenant has as many members as it may have. Ask an owner.',
  oidc_unavailable: 'The provider does not answer. Try again in a minute, or choose another way.',
};

export function useProviderProblem(): Error | undefined {
  const code = new URLSearchParams(useSearch()).get('error');
  if (code === null) return undefined;
  return new Error(SENTENCES[code] ?? 'Signing in failed. Try again, or choose another way.');
}

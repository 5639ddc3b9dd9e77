import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { PublicUrl } from '../../http/public-url.js';
import { Redirect } from '../../http/responses/redirect.js';
import { FlowCookie } from './flow-cookie.js';
import { ExpiredFlow, OidcProviders } from './oidc-providers.js';
import { ProviderSignIn } from './provider-sign-in.js';

/** Why a sign-in failed, as the page of the console reads it in `error`. */
export const FAILURES = ['oidc_expired', 'oidc_failed', 'oidc_unknown', 'oidc_limit', 'oidc_unavailable'] as const;

type Failure = (typeof FAILURES)[number];

/** Leads a browser to a provider, and back to the console. */
@Injectable()
export class OidcService {
  constructor(
    private readonly providers: OidcProviders,
    private readonly signIn: ProviderSignIn,
    private readonly cookie: FlowCookie,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Throws a 404 for an unknown provider, and a 400 if `returnTo` is not a page of the console. */
  async start(request: Request, providerId: string, returnTo: string | undefined): Promise<Redirect> {
    return this.leading(request, [], async () => {
      const { url, state } = await this.providers.start(providerId, returnTo);
      return { url, cookies: [this.cookie.begin(state)] };
    });
  }

  /**
   * Browsers do not send the cookie of the session (`SameSite=Strict`) for the page that this leads to, because the chain of redirects began at another
   * site. The page is the same for everybody, and its own requests have the cookie. Throws a 404 for an unknown provider.
   */
  async callback(request: Request, providerId: string, query: Query): Promise<Redirect> {
    return this.leading(request, [this.cookie.end()], async () => {
      const { cookie, returnTo } = await this.signIn.run(request, providerId, {
        query,
        sealedState: this.cookie.read(request),
      });
      return { url: this.publicUrl.console + returnTo, cookies: [cookie, this.cookie.end()] };
    });
  }

  /** Redirects a browser, after a failure to the page for signing in. Programs that ask for JSON get the problem. */
  private async leading(
    request: Request,
    cookies: readonly string[],
    work: () => Promise<{ url: string; cookies: readonly string[] }>,
  ): Promise<Redirect> {
    try {
      const { url, cookies: set } = await work();
      return new Redirect(url, set);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined || wantsJson(request)) throw error;
      return new Redirect(`${this.publicUrl.console}/console/sign-in?error=${failure}`, cookies);
    }
  }
}

function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error instanceof ExpiredFlow) return 'oidc_expired';
  if (error.code === 'unauthorized') return 'oidc_failed';
  if (error.code === 'forbidden') return 'oidc_unknown';
  if (error.code === 'limit_reached') return 'oidc_limit';
  return error.code === 'unavailable' ? 'oidc_unavailable' : undefined;
}

function wantsJson({ headers: { accept = '' } }: Request): boolean {
  return /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

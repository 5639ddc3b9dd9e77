import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { cookieValue } from '../../access/session-cookie.js';
import { PublicUrl } from '../../http/public-url.js';

/** As long as a flow lasts, in seconds. */
const MAX_AGE = 600;

/**
 * The cookie with the sealed state of a sign-in with a provider. The provider leads the browser back from another site, so it is `SameSite=Lax`.
 * Behind https it is a cookie of the host alone, which another host of the domain cannot set: it could otherwise sign somebody in as somebody else.
 */
@Injectable()
export class FlowCookie {
  constructor(private readonly publicUrl: PublicUrl) {}

  read({ headers: { cookie = '' } }: Request): string | undefined {
    return cookieValue(cookie, this.name);
  }

  /** The `Set-Cookie` header that begins a flow. */
  begin(state: string): string {
    return this.header(state, MAX_AGE);
  }

  /** The `Set-Cookie` header that removes the cookie. */
  end(): string {
    return this.header('', 0);
  }

  private header(value: string, maxAge: number): string {
    // The prefix requires the path /.
    const path = this.isSecure
      ? 'Path=/; Secure'
      : `Path=${new URL(this.publicUrl.console).pathname.replace(/\/$/, '')}/v1/oidc/`;
    return `${this.name}=${value}; ${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  }

  private get name(): string {
    return this.isSecure ? '__Host-trivet-oidc' : 'trivet-oidc';
  }

  private get isSecure(): boolean {
    return this.publicUrl.console.startsWith('https:');
  }
}

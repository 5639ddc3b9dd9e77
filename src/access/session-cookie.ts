import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../errors/problem.js';
import { PublicUrl } from '../http/public-url.js';

/** A page of another origin cannot send this header without asking first, and is then refused. */
const CONSOLE_HEADER = 'x-trivet-console';
/** As long as a session lasts at most, in seconds. */
const MAX_AGE = 30 * 86_400;

/** The cookie with the token of a session. The header `X-Trivet-Console` and the origin show that the console sends it, and no other page. */
@Injectable()
export class SessionCookie {
  constructor(private readonly publicUrl: PublicUrl) {}

  /**
   * Returns the token that the request sends in the place of an API key; undefined without a cookie or the header. Throws a 403 if a page of
   * another origin sends it.
   */
  read(request: Request): string | undefined {
    const { cookie, [CONSOLE_HEADER]: header } = request.headers;
    if (cookie === undefined || header !== '1') return undefined;
    const token = cookieValue(cookie, this.name);
    if (token !== undefined) this.assertOwnOrigin(request, request.method !== 'GET' && request.method !== 'HEAD');
    return token;
  }

  /** Throws a 403 unless the request comes from the console's origin. Without `isRequired`, it may also come from no page. */
  assertOwnOrigin({ headers }: Request, isRequired: boolean): void {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = headers;
    if (origin === undefined ? !isRequired && site === 'same-origin' : this.publicUrl.isOwn(origin)) return;
    const from = origin === undefined ? 'has no Origin' : 'comes from a page of another origin';
    throw new Problem(
      'forbidden',
      `A session is accepted only from ${this.publicUrl.console}, and this request ${from}.`,
    );
  }

  /** The `Set-Cookie` header that begins a session. */
  begin(token: string): string {
    return this.header(token, MAX_AGE);
  }

  /** The `Set-Cookie` header that removes the cookie. */
  end(): string {
    return this.header('', 0);
  }

  private header(value: string, maxAge: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
  }

  private get name(): string {
    return this.isSecure ? '__Host-trivet' : 'trivet';
  }

  private get isSecure(): boolean {
    return this.publicUrl.console.startsWith('https:');
  }
}

/** Returns the value of a cookie (RFC 6265). Of several with the name, the first one counts. */
export function cookieValue(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [own = '', value = ''] = pair.trim().split('=', 2);
    if (own === name && value !== '') return value;
  }
  return undefined;
}

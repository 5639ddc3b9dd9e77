import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SessionCookie } from '../../access/session-cookie.js';
import { Problem } from '../../errors/problem.js';
import { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { EndedSessions } from './ended-sessions.js';
import { SessionHolders } from './session-holders.js';
import { presentSession } from './session-presenter.js';
import type { SessionDto, SignInDto } from './sessions.dto.js';
import { SignIn } from './sign-in.js';

@Injectable()
export class SessionsService {
  constructor(
    private readonly signIn: SignIn,
    private readonly holders: SessionHolders,
    private readonly ended: EndedSessions,
    private readonly cookie: SessionCookie,
  ) {}

  /** Begins a session. Throws a 403 for a page of another origin, which could otherwise sign somebody in as somebody else. */
  async create(request: Request, body: SignInDto): Promise<JsonText> {
    this.cookie.assertOwnOrigin(request, false);
    assertOneWay(body);
    return this.signIn.run(request, body);
  }

  async current(session: OpenSession): Promise<SessionDto> {
    const holder = await this.holders.of(session);
    if (!holder) throw Problem.notSignedIn('The session has ended. Sign in again.');
    return presentSession(session, holder);
  }

  /** Ends the session in every process within a second, and removes its cookie. */
  async end(session: OpenSession): Promise<JsonText> {
    await this.ended.end(session);
    return new JsonText(JSON.stringify({ message: 'You are signed out.' }), { 'Set-Cookie': this.cookie.end() });
  }
}

function assertOneWay({ email, password, ...others }: SignInDto): void {
  const sent = Object.values(others).filter((value) => value !== undefined).length;
  const byPassword = email !== undefined || password !== undefined;
  if (sent + (byPassword ? 1 : 0) !== 1) {
    const message = 'Send one of: email with password, key, token, or passkey.';
    throw Problem.invalid([{ path: '', code: 'required', message }]);
  }
  const missing = email === undefined ? 'email' : password === undefined ? 'password' : undefined;
  if (byPassword && missing !== undefined) {
    throw Problem.invalid([{ path: missing, code: 'required', message: `${missing} is required.` }]);
  }
}

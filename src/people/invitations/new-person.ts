import { Injectable } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';
import { Passwords } from '../passwords/passwords.js';
import type { AcceptInvitationDto } from './invitations.dto.js';

/** How somebody who accepts an invitation will sign in, checked. */
interface NewPerson {
  name: string;
  /** The hash. */
  password: string;
}

/** Checks what somebody without an account chooses. */
@Injectable()
export class NewPeople {
  constructor(private readonly passwords: Passwords) {}

  /** Throws a 422 if the name or the password is missing, or the password is refused. `client` is the address of the client. */
  async check({ name, password }: AcceptInvitationDto, email: string, client: string): Promise<NewPerson> {
    if (name === undefined || password === undefined) throw missing({ name, password });
    const refusal = await this.passwords.refusalOf(password, { email, name });
    if (refusal !== undefined) throw Problem.invalid([{ path: 'password', code: 'format', message: refusal }]);
    return { name, password: await this.passwords.hash(password, client) };
  }
}

function missing(sent: Readonly<Record<string, string | undefined>>): Problem {
  const paths = Object.entries(sent).flatMap(([path, value]) => (value === undefined ? path : []));
  return Problem.invalid(paths.map((path) => ({ path, code: 'required', message: `${path} is required.` })));
}

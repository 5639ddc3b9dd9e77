import { Injectable } from '@nestjs/common';
import { OidcProviders } from '../oidc/oidc-providers.js';
import { Passkeys } from '../passkeys/passkeys.js';
import type { SignInMethodsDto } from './sessions.dto.js';

/** The ways of signing in that the installation offers. */
@Injectable()
export class SignInMethods {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly providers: OidcProviders,
  ) {}

  offered(): SignInMethodsDto {
    return { password: true, passkeys: this.passkeys.offered, oidc: this.providers.offered };
  }
}

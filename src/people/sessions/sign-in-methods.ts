import { Injectable } from '@nestjs/common';
import type { SignInMethodsDto } from './sessions.dto.js';

@Injectable()
export class SignInMethods {
  offered(): SignInMethodsDto {
    return { password: true, passkeys: false, oidc: [] };
  }
}

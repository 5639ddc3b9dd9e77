import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { SecretCipher } from '../../secrets/secret-cipher.js';
import type { Letter } from './letter.js';

/** Encrypts letters for their rows, and decrypts them for sending. A letter can be decrypted in its own row only. */
@Injectable()
export class LetterCipher {
  private readonly cipher: SecretCipher;

  constructor({ encryptionKeys }: Config) {
    this.cipher = new SecretCipher(encryptionKeys);
  }

  encrypt(tenantId: string, letter: Letter): string {
    return this.cipher.encrypt(JSON.stringify(letter), `${tenantId}/${letter.id}`);
  }

  /** Throws if the key that it was encrypted with is missing. */
  decrypt(tenantId: string, { id, content }: { id: string; content: string }): Letter {
    return JSON.parse(this.cipher.decrypt(content, `${tenantId}/${id}`)) as Letter;
  }
}

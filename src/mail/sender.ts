import { domainToASCII } from 'node:url';

/** Who the mails come from. */
export interface Sender {
  name: string;
  address: string;
  /** What follows the @ in a Message-ID. */
  domain: string;
}

/** Reads `MAIL_FROM`: `office@acme.example` or `Acme, Inc. <office@acme.example>`, the name in quotes or not. */
export function parseSender(mailFrom: string): Sender {
  const [, quoted = '', bracketed] = /^([^<]*)<(.*)>$/.exec(mailFrom) ?? [];
  const address = bracketed ?? mailFrom;
  return {
    name: quoted.trim().replace(/^"(.*)"$/, '$1'),
    address,
    domain: domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost',
  };
}

import { domainToASCII } from 'node:url';

/** The sender of the emails. */
export interface Sender {
  name: string;
  address: string;
  /** The part after the @ in a Message-ID. */
  domain: string;
}

/** Reads `MAIL_FROM`: `office@acme.example` or `Acme, Inc. <office@acme.example>`. The name may be in quotes. */
export function parseSender(mailFrom: string): Sender {
  const [, quoted = '', bracketed] = /^([^<]*)<(.*)>$/.exec(mailFrom) ?? [];
  const address = bracketed ?? mailFrom;
  return {
    name: quoted.trim().replace(/^"(.*)"$/, '$1'),
    address,
    domain: domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost',
  };
}

/** Why an outgoing request failed. A response with any status is not a failure of the request. */
export type OutboundErrorCode =
  'timeout' | 'dns' | 'address_not_allowed' | 'connection' | 'tls' | 'protocol' | 'aborted';

/**
 * The fixed sentence that a tenant may read about each failure. A name that does not exist and a name with a private address have the
 * same one (`dns`), so that no response reveals what an internal resolver knows.
 */
export const OUTBOUND_MESSAGES: Record<OutboundErrorCode, string> = {
  timeout: 'No complete response arrived in time.',
  dns: 'The host name does not resolve to an allowed address.',
  address_not_allowed: 'The URL or its address is not allowed.',
  connection: 'The connection could not be established, or it was interrupted.',
  tls: 'The TLS handshake failed, or the certificate is not valid for the host.',
  protocol: 'The response was not valid HTTP.',
  aborted: 'The request was aborted before a response arrived.',
};

/** An error with a known code. Its message is for the log, never for a tenant. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the code for an error of node's dns, net, tls or http modules. */
export function codeOf(error: Error): OutboundErrorCode {
  if (error instanceof OutboundError) return error.code;
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'protocol';
  if (/^(EPROTO$|ERR_TLS_|ERR_SSL_|ERR_OSSL_)/.test(code)) return 'tls';
  // System errors are one word (ECONNRESET); OpenSSL's names for a bad certificate are several (CERT_HAS_EXPIRED).
  if (code === '' || /^E[A-Z0-9]+$/.test(code) || code.startsWith('ERR_')) return 'connection';
  return 'tls';
}

/** Why an outgoing request failed. A response with any status is not a failure of the request. */
export type OutboundErrorCode =
  | 'timeout'
  | 'dns'
  | 'name_unknown'
  | 'address_not_public'
  | 'address_public'
  | 'address_not_allowed'
  | 'refused'
  | 'unreachable'
  | 'connection'
  | 'tls'
  | 'tls_missing'
  | 'certificate_issuer'
  | 'certificate_name'
  | 'certificate_time'
  | 'protocol'
  | 'http2_only'
  | 'redirects'
  | 'aborted';

/**
 * The fixed sentences that a tenant may read about each failure. They say whether a host name exists and whether it is public, but never an
 * address, so that no response reveals more of what an internal resolver knows.
 */
export const OUTBOUND_MESSAGES: Record<OutboundErrorCode, string> = {
  timeout: 'No complete response arrived in time.',
  dns: 'The host name could not be resolved, because DNS did not respond.',
  name_unknown: 'The host name does not exist, or it has no address.',
  address_not_public:
    'The host name does not resolve to an allowed address: its addresses are not public. The operator can allow a range ' +
    'with OUTBOUND_ALLOW.',
  address_public:
    'The host name resolves to a public address. Use https: http is only for addresses that are not public.',
  address_not_allowed: 'The URL or its address is not allowed.',
  refused: 'The receiver refused the connection: it does not listen on this port, or a firewall rejects it.',
  unreachable: 'The address of the receiver cannot be reached from the network of this service.',
  connection: 'The receiver closed the connection before the response was complete.',
  tls: 'The TLS handshake failed, or the certificate is not valid for the host.',
  tls_missing: 'The TLS handshake failed: the receiver does not use TLS on this port.',
  certificate_issuer:
    'The TLS handshake failed: the certificate is self-signed, or its issuer is unknown. Send the complete chain of a ' +
    'public authority, or ask the operator to trust the issuer with OUTBOUND_CA_FILE.',
  certificate_name: 'The TLS handshake failed: the certificate is not valid for this host name.',
  certificate_time: 'The TLS handshake failed: the certificate has expired, or is not valid yet.',
  protocol: 'The response was not valid HTTP.',
  http2_only: 'The receiver supports only HTTP/2. Requests are sent with HTTP/1.1.',
  redirects: 'The URL leads to too many redirects.',
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

/** Codes of node's tls module and of OpenSSL that have a sentence of their own. */
const TLS_CODES: Record<string, OutboundErrorCode> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  HOSTNAME_MISMATCH: 'certificate_name',
  CERT_HAS_EXPIRED: 'certificate_time',
  CERT_NOT_YET_VALID: 'certificate_time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_issuer',
  CERT_UNTRUSTED: 'certificate_issuer',
  INVALID_CA: 'certificate_issuer',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls_missing',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls_missing',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'http2_only',
};

/** The texts of OpenSSL behind the code EPROTO. */
const TLS_TEXTS: [RegExp, OutboundErrorCode][] = [
  [/wrong version number|packet length too long/, 'tls_missing'],
  [/no application protocol/, 'http2_only'],
];

/** Codes of the operating system that have a sentence of their own. */
const SYSTEM_CODES: Record<string, OutboundErrorCode> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};

const SETTINGS_FRAME = 4;

/** Returns the code for an error of node's dns, net, tls or http modules. */
export function codeOf(error: Error): OutboundErrorCode {
  if (error instanceof OutboundError) return error.code;
  const code = 'code' in error ? String(error.code) : '';
  const known = TLS_CODES[code] ?? SYSTEM_CODES[code];
  if (known) return known;
  if (code === 'EPROTO') return TLS_TEXTS.find(([text]) => text.test(error.message))?.[1] ?? 'tls';
  if (code.startsWith('HPE_')) return isHttp2(error) ? 'http2_only' : 'protocol';
  if (/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_)/.test(code)) return 'tls';
  // System errors are one word (ECONNRESET); OpenSSL's names for a bad certificate are several (CERT_REVOKED).
  if (code === '' || /^E[A-Z0-9]+$/.test(code) || code.startsWith('ERR_')) return 'connection';
  return 'tls';
}

/** Whether what could not be parsed begins with the SETTINGS frame that every HTTP/2 server sends first (RFC 9113, section 3.4). */
function isHttp2(error: Error & { rawPacket?: unknown }): boolean {
  const { rawPacket: bytes } = error;
  return Buffer.isBuffer(bytes) && bytes.length >= 9 && bytes[3] === SETTINGS_FRAME && bytes.readUInt32BE(5) === 0;
}

const ENCODED: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * Decodes the name of a part or of a file in multipart/form-data. Browsers encode just these three characters (HTML, 4.10.21.8), and a percent
 * sign stays as it is, so what else looks encoded is not.
 */
export function decodeMultipartName(sent: string): string {
  return sent.replace(/%(?:22|0D|0A)/g, (encoded) => ENCODED[encoded] ?? encoded);
}

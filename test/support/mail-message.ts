/** A parsed email. Supports only the parts of MIME that this service uses. */
export interface MailMessage {
  /** All header lines, unfolded, in order. Encoded words are not decoded. */
  headerLines: string[];
  /** The decoded value of a header. Throws if the header occurs twice. */
  header(name: string): string | undefined;
  contentType: string;
  text: string;
  html: string;
}

interface Part {
  headerLines: string[];
  body: string;
}

/** Parses an email that consists of plain text, or of plain text and HTML alternatives. Throws for any other. */
export function parseMessage(raw: Buffer): MailMessage {
  const { headerLines, body } = split(raw.toString('latin1'));
  const contentType = valueOf(headerLines, 'content-type') ?? '';
  if (/^text\/plain/.test(contentType)) {
    const text = decode({ headerLines, body }, 'text/plain; charset=utf-8');
    return { headerLines, header: (name) => decodeWords(valueOf(headerLines, name)), contentType, text, html: '' };
  }
  const boundary = /^multipart\/alternative;\s*boundary="([^"]+)"$/.exec(contentType)?.[1];
  if (!boundary) throw new Error(`Not multipart/alternative: ${contentType}`);
  const [preamble, ...rest] = `\r\n${body}`.split(`\r\n--${boundary}`);
  const end = rest.pop();
  if (preamble !== '' || end?.trim() !== '--' || rest.length !== 2) throw new Error('The parts are not two.');
  const [text, html] = rest.map((part) => split(part.replace(/^\r\n/, '')));
  return {
    headerLines,
    header: (name) => decodeWords(valueOf(headerLines, name)),
    contentType,
    text: decode(text, 'text/plain; charset=utf-8'),
    html: decode(html, 'text/html; charset=utf-8'),
  };
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  return { headerLines: head.split('\r\n'), body: text.slice(end + 4) };
}

function valueOf(headerLines: string[], name: string): string | undefined {
  const values = headerLines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  if (values.length > 1) throw new Error(`The header ${name} is there twice.`);
  return values[0]?.slice(name.length + 1).trim();
}

function decode(part: Part | undefined, type: string): string {
  const { headerLines, body } = part ?? { headerLines: [], body: '' };
  const actual = valueOf(headerLines, 'content-type');
  if (actual !== type) throw new Error(`Expected a part of ${type}, not of ${actual}.`);
  const encoding = valueOf(headerLines, 'content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquote(body.replace(/=\r\n/g, '')) : body, 'latin1');
  return bytes.toString('utf8').replace(/\r\n/g, '\n');
}

/** Decodes RFC 2047 encoded words. Spaces between them are not part of the text. */
function decodeWords(value: string | undefined): string | undefined {
  return value
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, encoding, text = '']) =>
          encoding?.toLowerCase() === 'b'
            ? Buffer.from(text, 'base64')
            : Buffer.from(unquote(text.replace(/_/g, ' ')), 'latin1'),
        ),
      ).toString('utf8'),
    );
}

function unquote(text: string): string {
  return text.replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

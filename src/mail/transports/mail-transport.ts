interface MailAddress {
  /** May be empty. */
  name: string;
  address: string;
}

/** An email to one recipient, the same for each attempt. */
export interface MailMessage {
  /** A name that no other email has, made of letters, digits, `.` and `_`. */
  id: string;
  /** The header `Message-ID`, with its angle brackets. A receiver can detect a duplicate by it. */
  messageId: string;
  date: Date;
  from: MailAddress;
  to: MailAddress;
  replyTo?: MailAddress;
  subject: string;
  text: string;
  /** An email without it is plain text. */
  html?: string;
  /** Whether the envelope sender is `<>`, so that nobody is told if the email cannot be delivered. */
  withoutEnvelopeSender?: boolean;
  /** Further headers by name. */
  headers: Readonly<Record<string, string>>;
}

/** An email with an HTML part. */
export type HtmlMessage = MailMessage & { html: string };

/** Sends emails. Implementations are chosen by name: see `MailTransports`. */
export interface MailTransport {
  /** Maximum number of emails that this process sends at once. */
  readonly connections: number;

  /**
   * Resolves when the message was accepted. Throws a `MailRefusal` if it was not. Any other error counts as a refusal that is not permanent.
   * It must end soon after `signal` has aborted.
   */
  send(message: MailMessage, signal: AbortSignal): Promise<void>;

  /** Removes the messages with these IDs, if the transport stores messages. */
  forget?(ids: readonly string[]): Promise<void>;

  /** Aborts running sends at once. */
  close(): void;
}

/** A message was not accepted. The text of the error is the reason, which the database stores and the log shows without addresses. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  /** Whether every later attempt would fail too, so that the email has failed. */
  readonly permanent: boolean;

  constructor(reason: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.permanent = permanent;
  }
}

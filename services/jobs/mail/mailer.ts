/** The port to a mail server. */

export interface Email {
  /** One address. */
  readonly to: string;
  /** One line (plain-line.ts). */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Letters, digits, `.`, `-` and `_`; the mailer adds its domain (RFC 5322 §3.6.4). A repeat of a message has the same id. */
  readonly messageId: string;
}

export interface Mailer {
  /**
   * Resolves when the server has accepted the message. If the signal fires before the message was sent completely, the server never accepts it.
   * @throws MailRefusedError if it never will; any other Error: it may later
   */
  send(email: Email, signal: AbortSignal): Promise<void>;
}

/** The server refuses the message or its recipient permanently. The text names neither. */
export class MailRefusedError extends Error {}

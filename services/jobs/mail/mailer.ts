/** The port to whoever takes e-mail and brings it to people. */

export interface Email {
  /** One address. */
  readonly to: string;
  /** One line (plain-line.ts). */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Letters, digits, `.`, `-` and `_`; the mailer adds its domain (RFC 5322 §3.6.4). A repeat of the same message has the same. */
  readonly messageId: string;
}

export interface Mailer {
  /**
   * Resolves when the server has taken the message. Where the signal fires before the message has wholly gone out, the server never takes it.
   * @throws MailRefusedError where it never will; any other Error: it may later.
   */
  send(email: Email, signal: AbortSignal): Promise<void>;
}

/** The server refuses the message or its recipient for good. The text names neither. */
export class MailRefusedError extends Error {}

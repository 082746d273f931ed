import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { SECOND_MS } from '../../../shared/durations.js';
import { isLoopbackAddress } from '../../../shared/fetch/public-address.js';
import { afterDueTimers } from '../../../shared/pacing/after-due-timers.js';
import { type Mailer, MailRefusedError } from './mailer.js';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; options of nodemailer in the query count too. */
  readonly url: string;
  /** `address` or `Name <address>`. */
  readonly from: string;
}

/** Each message has its own connection, because messages are rare. */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport(
    {
      url,
      // A password is never sent unencrypted, even if an attacker removes STARTTLS from the server's response.
      ...(needsTls(new URL(url)) ? { requireTLS: true } : {}),
      connectionTimeout: 10 * SECOND_MS,
      greetingTimeout: 10 * SECOND_MS,
      socketTimeout: 20 * SECOND_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((content) => endedWhileWanted(content, data.signal!));
    done();
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '');
  const fullId = (left: string) => `<${left.replaceAll(/[^\w.-]/g, '_')}@${domain}>`;
  return {
    async send({ to, subject, text, html, messageId }, signal) {
      try {
        await transport.sendMail({
          // As an object it is one address, with any content.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: fullId(messageId),
          // RFC 3834: prevents automatic replies, such as holiday notices.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
      } catch (error) {
        throw ownError(error);
      }
    },
  };
}

/**
 * The message, read after the server has accepted DATA. Between its text and its end it checks whether the message is still wanted. Without the final dot the
 * server must drop it (RFC 5321 §4.1.1.4). With pipelining, this process may have hung after DATA while another replica sent the message.
 */
function endedWhileWanted(content: Readable, signal: AbortSignal): Readable {
  async function* read() {
    yield* content;
    await afterDueTimers();
    signal.throwIfAborted();
  }
  // Nothing is read before the server's response to DATA.
  return Readable.from(read(), { objectMode: false, highWaterMark: 0 });
}

function needsTls({ protocol, hostname, username, searchParams }: URL): boolean {
  if (protocol !== 'smtp:' || username === '') return false;
  const isHere = hostname === 'localhost' || (isIP(hostname) !== 0 && isLoopbackAddress(hostname));
  return !isHere && !searchParams.has('requireTLS') && !searchParams.has('ignoreTLS');
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** Only the code of the server's response is reported: its text names the recipient, whose address must not be in logs. */
function ownError(error: unknown): Error {
  const { code = 'unknown', command, responseCode } = error as SmtpError;
  const at = responseCode === undefined ? code : String(responseCode);
  const permanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  // Errors of the sender address or the login are temporary: the operator can correct them.
  if (permanent && command === 'RCPT TO')
    return new MailRefusedError(`the mail server refused the recipient (${at})`);
  if (permanent && code === 'EMESSAGE')
    return new MailRefusedError(`the mail server refused the message (${at})`);
  return new Error(`the mail server did not take the message (${at})`, { cause: error });
}

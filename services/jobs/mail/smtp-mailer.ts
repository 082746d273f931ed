import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { SECOND_MS } from '../../../shared/durations.js';
import { isLoopbackAddress } from '../../../shared/fetch/public-address.js';
import { afterDueTimers } from '../../../shared/pacing/after-due-timers.js';
import { type Mailer, MailRefusedError } from './mailer.js';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; what nodemailer reads of the query counts, too. */
  readonly url: string;
  /** `address` or `Name <address>`. */
  readonly from: string;
}

/** A connection for each message: they are few. */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport(
    {
      url,
      // A password never goes out in clear because somebody on the way left STARTTLS out of the server's answer.
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
          // As an object it is one address, whatever is in it.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: fullId(messageId),
          // RFC 3834: nobody's holiday is to be told to us.
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
 * The message as it is read once the server has asked for it. Whether it is still wanted is asked between its text and its end: without the final dot the server
 * has to drop it (RFC 5321 §4.1.1.4). A server that pipelines may have asked while this process hung and another one sent the message.
 */
function endedWhileWanted(content: Readable, signal: AbortSignal): Readable {
  async function* read() {
    yield* content;
    await afterDueTimers();
    signal.throwIfAborted();
  }
  // Nothing is read ahead of the server's answer to DATA.
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

/** Of the server's answer its number alone is told: the text names the recipient, and stands where addresses of people do not belong. */
function ownError(error: unknown): Error {
  const { code = 'unknown', command, responseCode } = error as SmtpError;
  const at = responseCode === undefined ? code : String(responseCode);
  const permanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  // What is wrong with the sender or with the login is the operator's to mend, and then it goes out.
  if (permanent && command === 'RCPT TO')
    return new MailRefusedError(`the mail server refused the recipient (${at})`);
  if (permanent && code === 'EMESSAGE')
    return new MailRefusedError(`the mail server refused the message (${at})`);
  return new Error(`the mail server did not take the message (${at})`, { cause: error });
}

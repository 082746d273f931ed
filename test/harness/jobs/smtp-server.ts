import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A message that an SMTP server received. */
export interface TakenMail {
  readonly from: string;
  /** Recipients of the envelope. */
  readonly to: readonly string[];
  /** In the order of receipt, unfolded, by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  readonly html: string;
}

export interface TestSmtpServer {
  readonly url: string;
  readonly taken: readonly TakenMail[];
  close(): Promise<void>;
}

export interface SmtpBehaviour {
  /** Returns an error with `responseCode` to refuse the recipient; may wait. */
  readonly onRecipient?: (address: string) => Promise<void> | void;
  /**
   * Called with each part of a message.
   * @param text the text so far
   */
  readonly onText?: (text: string) => void;
  /** Called after the whole message was received. */
  readonly onMessage?: (mail: TakenMail) => Promise<void> | void;
}

/** An SMTP server on 127.0.0.1. */
export async function startSmtpServer({
  onRecipient,
  onText,
  onMessage,
}: SmtpBehaviour = {}): Promise<TestSmtpServer> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      Promise.resolve()
        .then(() => onRecipient?.(address))
        .then(() => done(), done);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onText?.(Buffer.concat(chunks).toString('latin1'));
      });
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = { from, to, ...readMessage(Buffer.concat(chunks).toString('latin1')) };
        Promise.resolve()
          .then(() => onMessage?.(mail))
          .then(() => {
            taken.push(mail);
            done();
          }, done);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An error answer of the server. */
export function smtpError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

function readMessage(raw: string): Pick<TakenMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = readPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const contents = new Map(
    parts.map((each) => {
      const part = readPart(each.replace(/^\r\n/, ''));
      const type = (part.headers.get('content-type')?.[0] ?? '').split(';')[0]!;
      return [type, decodeBody(part.body, part.headers.get('content-transfer-encoding')?.[0] ?? '')];
    }),
  );
  return { headers, text: contents.get('text/plain') ?? '', html: contents.get('text/html') ?? '' };
}

function readPart(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodeWords(line.slice(line.indexOf(':') + 1).trim())]);
  }
  return { headers, body: raw.slice(end + 4) };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  const text = encoding === 'quoted-printable' ? unquote(body.replaceAll('=\r\n', '')) : body;
  return Buffer.from(text, 'latin1').toString().replaceAll('\r\n', '\n');
}

const unquote = (text: string) =>
  text.replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind, text) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(unquote(text.replaceAll('_', ' ')), 'latin1').toString(),
    );
}

import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../shared/config.js';
import {
  type SmtpBehaviour,
  smtpError,
  startSmtpServer,
  type TestSmtpServer,
} from '../../../test/harness/jobs/smtp-server.js';
import { type Email, MailRefusedError } from './mailer.js';
import { openMailer } from './open-mailer.js';
import { plainLine } from './plain-line.js';
import { createSmtpMailer } from './smtp-mailer.js';

let server: TestSmtpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const email: Email = {
  to: 'jo@shop.example',
  subject: 'Traffic fell – ⚠',
  text: 'A text.\nIts second line.\n.\nafter a lone dot',
  html: '<p>A <b>text</b>.</p>',
  messageId: 'abc.def',
};
const never = new AbortController().signal;

async function mailer(behaviour?: SmtpBehaviour) {
  server = await startSmtpServer(behaviour);
  return createSmtpMailer({ url: server.url, from: 'Loglane <alerts@loglane.example>' });
}

describe('an e-mail', () => {
  test('reaches an SMTP server as text and HTML, with its own Message-ID, from the configured sender', async () => {
    await (await mailer()).send(email, never);
    const [mail] = server!.taken;
    expect(mail).toMatchObject({ from: 'alerts@loglane.example', to: ['jo@shop.example'] });
    const header = (name: string) => mail!.headers.get(name);
    expect(header('subject')).toEqual([email.subject]);
    expect(header('message-id')).toEqual(['<abc.def@loglane.example>']);
    expect(header('auto-submitted')).toEqual(['auto-generated']);
    expect(header('to')).toEqual(['jo@shop.example']);
    expect(mail!.text.trimEnd()).toBe(email.text);
    expect(mail!.html.trimEnd()).toBe(email.html);
  });

  test('has its own headers and no other, with any texts', async () => {
    const { send } = await mailer();
    await send(email, never);
    const plain = [...server!.taken[0]!.headers.keys()];
    for (const evil of [
      'x\r\nBcc: all@shop.example',
      'x\nBcc: all@shop.example\n\nbody',
      'x\rBcc: a@b.example',
    ])
      await send({ ...email, subject: evil, messageId: evil }, never);
    expect(server!.taken).toHaveLength(4);
    for (const mail of server!.taken) {
      expect([...mail.headers.keys()]).toEqual(plain);
      expect(mail.to).toEqual(['jo@shop.example']);
    }
  });

  test('goes to one recipient, even if the address could be parsed as several', async () => {
    const { send } = await mailer();
    for (const to of ['a@b.example, c@d.example', 'a@b.example\r\nRCPT TO:<c@d.example>', 'x <c@d.example>'])
      await send({ ...email, to }, never).catch(() => {});
    for (const mail of server!.taken) expect(mail.to).toHaveLength(1);
    expect(server!.taken.flatMap(({ to }) => to)).not.toContain('c@d.example');
  });

  test('that the server refuses permanently differs from one that it may accept later', async () => {
    const answers = new Map([
      ['gone@shop.example', smtpError(550, '5.1.1 <gone@shop.example>: no such user')],
      ['full@shop.example', smtpError(452, '4.2.2 mailbox full')],
    ]);
    const { send } = await mailer({
      onRecipient(address) {
        const error = answers.get(address);
        if (error) throw error;
      },
      onMessage({ to }) {
        if (to[0] === 'spam@shop.example') throw smtpError(554, '5.7.1 message refused');
        if (to[0] === 'grey@shop.example') throw smtpError(451, '4.7.1 come again');
      },
    });
    const failure = (to: string) => send({ ...email, to }, never).catch((error: unknown) => error);
    expect(await failure('gone@shop.example')).toEqual(
      new MailRefusedError('the mail server refused the recipient (550)'),
    );
    expect(await failure('spam@shop.example')).toBeInstanceOf(MailRefusedError);
    for (const later of ['full@shop.example', 'grey@shop.example']) {
      const error = await failure(later);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(MailRefusedError);
      expect((error as Error).message).not.toContain('shop.example');
    }
  });

  test('may go out later if the server is unreachable or the sender cancels', async () => {
    const closed = await startSmtpServer();
    await closed.close();
    const { send } = createSmtpMailer({ url: closed.url, from: 'a@b.example' });
    const error = await send(email, never).catch((each: unknown) => each);
    expect(error).not.toBeInstanceOf(MailRefusedError);
    expect(error).toBeInstanceOf(Error);
    const slow = await mailer({ onMessage: () => new Promise(() => {}) });
    await expect(slow.send(email, AbortSignal.timeout(200))).rejects.toThrow();
  });

  test('is never accepted if the sender cancels before its end, even if all of its text has arrived', async () => {
    const giveUp = new AbortController();
    const { send } = await mailer({
      onText(text) {
        // The server holds back text that may be part of the end.
        if (/<\/p>\s+--\S+$/.test(text)) giveUp.abort(new Error('it is another’s'));
      },
    });
    await expect(send(email, giveUp.signal)).rejects.toThrow();
    await server!.close();
    expect(server!.taken).toEqual([]);
    expect(giveUp.signal.aborted).toBe(true);
  });

  test('is not sent unencrypted with a password: a server without STARTTLS gets neither', async () => {
    const said: string[] = [];
    const fake = createServer((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', (chunk) => {
        said.push(String(chunk));
        socket.write('250-here\r\n250 AUTH PLAIN LOGIN\r\n');
      });
    });
    // The configured name decides whether TLS is required, and 0.0.0.0 is no loopback name.
    await new Promise<void>((resolve) => fake.listen(0, '0.0.0.0', resolve));
    const { port } = fake.address() as { port: number };
    const { send } = createSmtpMailer({ url: `smtp://jo:secret@0.0.0.0:${port}`, from: 'a@b.example' });
    await expect(send(email, never)).rejects.toThrow();
    fake.close();
    expect(said.length).toBeGreaterThan(0);
    expect(said.join()).not.toMatch(/AUTH|MAIL FROM/);
  });
});

test('without both variables there is no mailer, and with one of them the configuration is refused', () => {
  expect(openMailer({ SMTP_URL: undefined, MAIL_FROM: undefined })).toBeNull();
  expect(() => openMailer({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: undefined })).toThrow(ConfigError);
  expect(() => openMailer({ SMTP_URL: undefined, MAIL_FROM: 'a@b.example' })).toThrow(ConfigError);
});

test('a line is one line, without hidden or direction-changing characters', () => {
  expect(plainLine('a\r\nb\u2028c\u0000d\u202ee\u200bf', 100)).toBe('a b c d e f');
  expect(plainLine('x'.repeat(200), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(plainLine(`${'x'.repeat(8)}😀😀`, 10)).toBe(`${'x'.repeat(8)}\ufffd…`);
  expect(plainLine('\ud800', 10)).toBe('\ufffd');
});

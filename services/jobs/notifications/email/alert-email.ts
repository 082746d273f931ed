import { escapeMarkup } from '../../html/escape-markup.js';
import type { Email } from '../../mail/mailer.js';
import { plainLine } from '../../mail/plain-line.js';
import type { AlertContent } from '../messages/content.js';
import type { NamedWebsite } from '../messages/webhook-body.js';
import { htmlPage, htmlTable } from './html.js';
import { foreignLine, plainTime, plainValues } from './plain-values.js';

/** An e-mail without address and id. */
export type EmailText = Pick<Email, 'subject' | 'text' | 'html'>;

const LONGEST_SUBJECT = 160;
const LONGEST_MESSAGE = 1_000;

/** Why the reader gets the e-mail, and who can change that. */
export const FOOTER =
  'You get this e-mail because you are a user of the organisation that owns the website. The administrator of your Loglane installation can change which alerts are sent.';

/** Anyone can send a request, so the alert's texts are untrusted. Each is made one line without links, and escaped in HTML. */
export function alertEmail({ alert, quietUntil }: AlertContent, website: NamedWebsite): EmailText {
  const { type, severity, alertId, createdAt } = alert;
  const message = foreignLine(alert.message, LONGEST_MESSAGE, website.domain);
  const domain = plainLine(website.domain, 253);
  const subject = plainLine(`[${severity}] ${domain}: ${message}`, LONGEST_SUBJECT);
  const facts: [string, string][] = [
    ['website', domain],
    ['severity', severity],
    ['type', type],
    ['found at', plainTime(createdAt)],
    ['alert', alertId],
  ];
  const evidence = plainValues(alert.details, website.domain);
  const more = quietUntil === undefined ? [] : [moreSentence(quietUntil)];
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([name, value]) => `  ${name}: ${value}`);
  const text = [
    message,
    '',
    ...lines(facts),
    ...(evidence.length > 0 ? ['', 'What was found:', ...lines(evidence)] : []),
    ...more.flatMap((sentence) => ['', sentence]),
    '',
    FOOTER,
  ].join('\n');
  const html = htmlPage(
    subject,
    `<p style="font-size:16px"><strong>${escapeMarkup(message)}</strong></p>${htmlTable(facts)}${
      evidence.length > 0 ? `<p>What was found:</p>${htmlTable(evidence)}` : ''
    }${more.map((sentence) => `<p><strong>${escapeMarkup(sentence)}</strong></p>`).join('')}<p style="color:#777">${escapeMarkup(FOOTER)}</p>`,
  );
  return { subject, text, html };
}

const moreSentence = (until: number) =>
  `There are many alerts. No more e-mails of this kind are sent for this website until ${plainTime(until)}. GET /alerts lists all alerts.`;

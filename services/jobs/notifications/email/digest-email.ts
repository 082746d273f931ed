import { plainLine } from '../../../../shared/mail/plain-line.js';
import { escapeMarkup } from '../../html/escape-markup.js';
import { countBySeverity, type DigestContent, type DigestIncident } from '../content.js';
import type { NamedWebsite } from '../webhook-body.js';
import { type EmailText, FOOTER } from './alert-email.js';
import { htmlPage, htmlTable } from './html.js';
import { foreignLine, plainTime } from './plain-values.js';

const LONGEST_SUBJECT = 160;
const LONGEST_MESSAGE = 300;

/** A day of a website's incidents. Texts are made one line without links, and escaped in HTML, as those of an alert. */
export function digestEmail(content: DigestContent, website: NamedWebsite): EmailText {
  const { incidents, more, from, to } = content;
  const domain = plainLine(website.domain, 253);
  const counts = countBySeverity(incidents).map(([severity, count]) => `${count} ${severity}`);
  const all = incidents.length + more;
  const subject = plainLine(`${domain}: ${all} incident${all === 1 ? '' : 's'} in a day`, LONGEST_SUBJECT);
  const head = `${plainTime(from)} to ${plainTime(to)}: ${counts.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
  const rows = incidents.map((each): [string, string] => [
    whenAndWhat(each),
    foreignLine(each.message, LONGEST_MESSAGE, website.domain),
  ]);
  const text = [
    `${domain}, ${head}`,
    '',
    ...rows.flatMap(([what, message]) => [what, `  ${message}`]),
    '',
    FOOTER,
  ].join('\n');
  const html = htmlPage(
    subject,
    `<p><strong>${escapeMarkup(domain)}</strong>, ${escapeMarkup(head)}</p>${htmlTable(rows)}<p style="color:#777">${escapeMarkup(FOOTER)}</p>`,
  );
  return { subject, text, html };
}

function whenAndWhat({ severity, startedAt, lastSeen, type }: DigestIncident): string {
  const [start, end] = [plainTime(startedAt), plainTime(lastSeen)];
  return `[${severity}] ${type}, ${start}${end === start ? '' : ` to ${end}`}`;
}

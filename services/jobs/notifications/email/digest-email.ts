import { plainLine } from '../../mail/plain-line.js';
import { countBySeverity, type DigestContent, type DigestIncident } from '../messages/content.js';
import type { NamedWebsite } from '../messages/webhook-body.js';
import type { EmailText } from './alert-email.js';
import { listEmail } from './list-email.js';
import { foreignLine, plainSpan, plainTime } from './plain-values.js';

const LONGEST_MESSAGE = 300;

/** A day of a website's incidents. Each text becomes one line without links and is escaped in HTML, as in an alert's e-mail. */
export function digestEmail(content: DigestContent, website: NamedWebsite): EmailText {
  const { incidents, more, from, to } = content;
  const domain = plainLine(website.domain, 253);
  const counts = countBySeverity(incidents).map(([severity, count]) => `${count} ${severity}`);
  const all = incidents.length + more;
  return listEmail({
    subject: `${domain}: ${all} incident${all === 1 ? '' : 's'} in a day`,
    domain,
    heads: [
      `${plainTime(from)} to ${plainTime(to)}: ${counts.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    ],
    rows: incidents.map((each) => [
      whenAndWhat(each),
      foreignLine(each.message, LONGEST_MESSAGE, website.domain),
    ]),
  });
}

function whenAndWhat({ severity, startedAt, lastSeen, type, isImported }: DigestIncident): string {
  const origin = isImported ? ' in imported logs' : '';
  return `[${severity}] ${type}${origin}, ${plainSpan(startedAt, lastSeen)}`;
}

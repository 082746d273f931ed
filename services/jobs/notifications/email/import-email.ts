import { plainLine } from '../../mail/plain-line.js';
import type { ImportContent, ImportedAlert } from '../messages/content.js';
import type { NamedWebsite } from '../messages/webhook-body.js';
import type { EmailText } from './alert-email.js';
import { listEmail } from './list-email.js';
import { foreignLine, plainSpan } from './plain-values.js';

const LONGEST_MESSAGE = 300;

/** The alerts of imported logs in one e-mail. Texts are cleaned as in a digest. */
export function importEmail(content: ImportContent, website: NamedWebsite): EmailText {
  const { count, byType, imported, from, to } = content;
  const domain = plainLine(website.domain, 253);
  const alerts = `${count} alert${count === 1 ? '' : 's'} in imported logs`;
  const counts = byType.map(([type, number]) => `${number} ${type}`).join(', ');
  const rest = count - imported.length;
  return listEmail({
    subject: `${domain}: ${alerts} of ${plainSpan(from, to)}`,
    domain,
    heads: [
      `${alerts} of ${plainSpan(from, to)}: ${counts}.`,
      ...(rest > 0
        ? [`The ${imported.length} most severe ones are listed here. GET /alerts lists all of them.`]
        : []),
    ],
    rows: imported.map((each) => [
      whenAndWhat(each),
      foreignLine(each.message, LONGEST_MESSAGE, website.domain),
    ]),
  });
}

function whenAndWhat({ severity, type, createdAt, lastSeen }: ImportedAlert): string {
  return `[${severity}] ${type}, ${plainSpan(createdAt, lastSeen)}`;
}

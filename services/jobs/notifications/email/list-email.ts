import { escapeMarkup } from '../../html/escape-markup.js';
import { plainLine } from '../../mail/plain-line.js';
import { type EmailText, FOOTER } from './alert-email.js';
import { htmlPage, htmlTable } from './html.js';

const LONGEST_SUBJECT = 160;

/** An e-mail with a list. Its texts are lines of plain text (`foreignLine`), escaped in HTML here. */
export function listEmail({
  subject: said,
  domain,
  heads,
  rows,
}: {
  readonly subject: string;
  readonly domain: string;
  /** At least one line. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [what: string, message: string])[];
}): EmailText {
  const subject = plainLine(said, LONGEST_SUBJECT);
  const text = [
    `${domain}, ${heads.join('\n')}`,
    '',
    ...rows.flatMap(([what, message]) => [what, `  ${message}`]),
    '',
    FOOTER,
  ].join('\n');
  const head = heads.map(escapeMarkup).join('<br>');
  const html = htmlPage(
    subject,
    `<p><strong>${escapeMarkup(domain)}</strong>, ${head}</p>${htmlTable(rows)}<p style="color:#777">${escapeMarkup(FOOTER)}</p>`,
  );
  return { subject, text, html };
}

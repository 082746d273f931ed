import type { Export } from '../../../../shared/control/domain/model.js';
import { expiryOf } from '../../../../shared/control/exports/export.js';
import { SEO_REPORT } from '../../../../shared/control/exports/report-period.js';
import { exportTypeOf } from '../../../../shared/reads/exports/all-export-types.js';
import { escapeMarkup } from '../../html/escape-markup.js';
import { plainLine } from '../../mail/plain-line.js';
import type { NamedWebsite } from '../messages/webhook-body.js';
import type { EmailText } from './alert-email.js';
import { htmlPage, htmlTable } from './html.js';
import { plainTime } from './plain-values.js';

const LONGEST_SUBJECT = 160;
const LONGEST_DESCRIPTION = 1_000;

const WHY = 'You get this e-mail because an export was requested with your API key and `notify`.';
const LINK = 'The link in it opens the file for whoever has it.';

/** Reports that an export is completed or has failed. @param link of a completed one; null: the file is downloaded through the API */
export function exportEmail(over: Export, website: NamedWebsite, link: string | null): EmailText {
  const domain = plainLine(website.domain, 253);
  const description = plainLine(over.description, LONGEST_DESCRIPTION);
  const { file } = over;
  const facts: [string, string][] = [
    ['website', domain],
    ['export', description],
    ['requested at', plainTime(Date.parse(over.createdAt))],
    ['job_id', over.id],
    ...(file === null ? [] : factsOf(file, over.exportType)),
    ...(file === null ? [] : [['until', plainTime(expiryOf(over) ?? 0)] as [string, string]]),
  ];
  const head = file === null ? `The export was not made. ${over.error ?? ''}`.trim() : 'Your file is there.';
  const footer = link === null ? WHY : `${WHY} ${LINK}`;
  const title = titleOf(over.exportType);
  const subject = plainLine(
    `${domain}: ${title} ${file === null ? 'not exported' : 'exported'}`,
    LONGEST_SUBJECT,
  );
  const text = [
    head,
    ...(link === null ? [] : ['', link]),
    '',
    ...facts.map(([name, value]) => `  ${name}: ${value}`),
    '',
    footer,
  ].join('\n');
  const anchor = link === null ? '' : `<p><a href="${escapeMarkup(link)}">Fetch the file</a></p>`;
  const html = htmlPage(
    subject,
    `<p style="font-size:16px"><strong>${escapeMarkup(head)}</strong></p>${anchor}${htmlTable(facts)}<p style="color:#777">${escapeMarkup(footer)}</p>`,
  );
  return { subject, text, html };
}

function titleOf(type: string): string {
  if (type === SEO_REPORT) return 'Technical SEO report';
  const known = exportTypeOf(type);
  return known === undefined ? type : `${known.title} (${type})`;
}

function factsOf({ rows, bytes, sha256 }: NonNullable<Export['file']>, type: string): [string, string][] {
  return [
    [type === SEO_REPORT ? 'findings' : 'rows', rows.toLocaleString('en')],
    ['bytes', bytes.toLocaleString('en')],
    ['sha256', sha256],
  ];
}

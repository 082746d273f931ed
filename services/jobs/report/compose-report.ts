import { DAY_MS } from '../../../shared/durations.js';
import { plainLine } from '../mail/plain-line.js';
import { type Block, paragraph, type ReportDocument, type Section } from './model/document.js';
import { type Finding, levelOf } from './model/finding.js';
import type { ReportData } from './model/report-data.js';
import { counted, dayText, nameText } from './model/texts.js';
import { access } from './sections/access.js';
import { ai } from './sections/ai.js';
import { checksAndAlerts } from './sections/checks.js';
import { discovery } from './sections/discovery.js';
import { method } from './sections/method.js';
import { overview } from './sections/overview.js';
import { search } from './sections/search.js';
import { searchResults } from './sections/search-results.js';
import { site } from './sections/site.js';
import { summary as summaryOf } from './sections/summary.js';

const MOST_NAME = 120;

/** Composes a document from data and findings. Pure. @param preparedFor as the caller wrote it; null: none */
export function composeReport(
  data: ReportData,
  findings: readonly Finding[],
  preparedFor: string | null,
): ReportDocument {
  const { window, askedAt, summary } = data;
  const days = (window.end - window.start) / DAY_MS;
  const named = preparedFor === null ? '' : plainLine(preparedFor, MOST_NAME);
  const hasRequests = summary.total_requests > 0;
  return {
    title: 'Technical SEO report',
    cover: {
      website: nameText(data.domain),
      preparedFor: named === '' ? null : named,
      period: `${dayText(window.start)} to ${dayText(window.end - 1)} (${days} days)`,
      madeOn: dayText(askedAt),
    },
    sections: [
      ...(hasRequests ? [summaryOf(data, findings)] : []),
      findingsSection(findings, hasRequests),
      ...(hasRequests ? [overview(data), search(data), ai(data), access(data)] : []),
      discovery(data),
      ...[site(data), searchResults(data)].filter((section) => section !== null),
      checksAndAlerts(data),
      method(data),
    ],
  };
}

function findingsSection(findings: readonly Finding[], hasRequests: boolean): Section {
  const opening = hasRequests
    ? findings.length === 0
      ? 'No problem was found for search engines or AI crawlers.'
      : `${counted(findings.length, 'finding', 'findings')}, in order of impact.`
    : 'No request of this website is stored for the period, so there are no figures of traffic and crawlers. The report covers robots.txt, the sitemaps and the nightly checks.';
  return {
    id: 'findings',
    title: 'Findings',
    blocks: [paragraph(opening), ...findings.map(toBlock)],
  };
}

function toBlock({ impact, ...finding }: Finding, index: number): Block {
  return { kind: 'finding', place: index + 1, level: levelOf(impact), ...finding };
}

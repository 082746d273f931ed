import { DAY_MS } from '../../../../shared/durations.js';
import type { Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { counted, dayText, nameText } from '../texts.js';

/** How the report came about, and what it does not know. */
export function method(data: ReportData): Section {
  const { window, traffic, summary, askedAt, checks } = data;
  const days = (window.end - window.start) / DAY_MS;
  return {
    id: 'method',
    title: 'How this was measured',
    blocks: [
      {
        kind: 'terms',
        items: [
          {
            term: 'Source',
            text: 'The website’s own request logs, each request once. Pages are not measured by a script, so crawlers are counted as people are.',
          },
          {
            term: 'Period',
            text: `${dayText(window.start)} to ${dayText(window.end - 1)}, ${days} whole days in UTC. Changes are against the ${days} days before.`,
          },
          {
            term: 'As of',
            text: `${new Date(askedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC: sitemaps, robots.txt and the flow of logs as they were then. ${checksAsOf(checks)}`,
          },
          { term: 'Data', text: dataSince(summary.data_since as string | null, window.start) },
          { term: 'Gaps', text: gaps(traffic.daily) },
          {
            term: 'Verified',
            text: 'A crawler counts as verified where the address of the request is in the ranges that its operator publishes, or its reverse DNS name leads back to it, or the website’s CDN vouches for it. One that fails its own method is an impostor and counts with no crawler. Where an operator publishes no method nothing is proved.',
          },
          {
            term: 'Findings',
            text: 'Ordered by what it costs to leave them: the share of crawling or of pages that they concern, weighed by how search engines take it. What is rare enough to be chance is left out.',
          },
          { term: 'Rules', text: rules(summary.rules_versions) },
        ],
      },
    ],
  };
}

function checksAsOf({ evaluated, evaluated_at }: ReportData['checks']): string {
  return evaluated && typeof evaluated_at === 'string'
    ? `Checks are those of their last evaluation, ${evaluated_at.slice(0, 16).replace('T', ' ')} UTC.`
    : 'No checks were evaluated yet.';
}

function dataSince(since: string | null, start: number): string {
  if (since === null) return 'No request of this website is kept.';
  const at = Date.parse(since);
  return at > start
    ? `Requests are kept since ${dayText(at)}: the period is not covered whole, and nothing is compared with the one before.`
    : `Requests are kept since ${dayText(at)}: the period is covered from its start.`;
}

function gaps(daily: ReportData['traffic']['daily']): string {
  const empty = daily.filter(({ requests }) => requests === 0).length;
  return empty === 0
    ? 'Every day of the period has requests.'
    : `${counted(empty, 'day', 'days')} of ${daily.length} have no request at all.`;
}

function rules(versions: ReportData['summary']['rules_versions']): string {
  if (versions.length === 0) return 'No request claimed to be a bot, so no rules judged any.';
  const told = versions
    .slice(0, 5)
    .map(
      ({ rules_version, requests }) =>
        `${nameText(rules_version)}, by which ${counted(requests, 'request', 'requests')} of bots were judged`,
    );
  return `Table of crawlers and lists of addresses: ${told.join('; ')}.`;
}

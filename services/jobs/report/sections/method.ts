import { DAY_MS } from '../../../../shared/durations.js';
import type { Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { counted, dayText, nameText } from '../model/texts.js';
import { loggedDays } from './logged-days.js';

/** The sources of the report, and its gaps. */
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
            text: 'The request logs of the website. Each request counts once. No script in the page is needed, so crawlers and people are counted the same way.',
          },
          {
            term: 'Period',
            text: `${dayText(window.start)} to ${dayText(window.end - 1)}, ${days} whole days in UTC. Changes compare with the ${days} days before.`,
          },
          {
            term: 'As of',
            text: `${new Date(askedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC for sitemaps, robots.txt and the arrival of logs. ${checksAsOf(checks)}`,
          },
          { term: 'Data', text: dataSince(summary.complete_since as string | null, window.start) },
          { term: 'Gaps', text: loggedDays(traffic.daily) ?? 'Every day of the period has logs.' },
          {
            term: 'Verified',
            text: 'A request is verified as from a crawler in one of three ways: its address is in the ranges that the operator publishes, reverse DNS confirms the address, or the website’s CDN confirms it. A request that fails the crawler’s method is from an impostor and is not counted for the crawler. If an operator publishes no method, its requests cannot be verified.',
          },
          {
            term: 'Findings',
            text: 'Ordered by impact: the share of crawling or of pages that a finding affects, weighted by how search engines react. Rare events are left out. “Figures” names the API call with the numbers of a finding. Pass the period as start and end to get those of this report.',
          },
          { term: 'Rules', text: rules(summary.rules_versions) },
        ],
      },
    ],
  };
}

function checksAsOf({ evaluated, evaluated_at }: ReportData['checks']): string {
  return evaluated && typeof evaluated_at === 'string'
    ? `The checks were last evaluated at ${evaluated_at.slice(0, 16).replace('T', ' ')} UTC.`
    : 'The checks were not evaluated yet.';
}

function dataSince(since: string | null, start: number): string {
  if (since === null) return 'No request of this website is stored.';
  const at = Date.parse(since);
  return at > start
    ? `The logs are complete since ${dayText(at)}. The period is covered in part.`
    : `The logs are complete since ${dayText(at)}, so the period is covered from its start.`;
}

function rules(versions: ReportData['summary']['rules_versions']): string {
  if (versions.length === 0) return 'No request was from a bot, so no rules were applied.';
  const sentences = versions
    .slice(0, 5)
    .map(
      ({ rules_version, requests }) =>
        `version ${nameText(rules_version)} for ${counted(requests, 'bot request', 'bot requests')}`,
    );
  return `Crawler table and address lists: ${sentences.join('; ')}.`;
}

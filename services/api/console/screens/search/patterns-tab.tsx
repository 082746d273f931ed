import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { failedShare, StatusMix } from '../../charts/status-mix.js';
import { logText, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Pattern = Answer<'getUrlPatterns'>['patterns'][number];

/** Kinds of URLs that search crawlers fetch, and the problems of each. */
export function PatternsTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const read = useRead('getUrlPatterns', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Crawl budget by URL pattern"
      caption="patterns are learned from the paths themselves"
      read={read}
      empty={{
        when: ({ patterns }) => patterns.length === 0,
        text: 'Too few URLs were fetched to learn a pattern from.',
      }}
      table={({ patterns }) => ({
        caption: 'URL patterns',
        rows: patterns,
        columns: [
          { title: 'Pattern', value: ({ pattern }: Pattern) => pattern },
          { title: 'Requests', value: ({ total_requests }: Pattern) => total_requests, isNumber: true },
          { title: 'Share of crawl, %', value: ({ pct_of_crawl }: Pattern) => pct_of_crawl, isNumber: true },
          { title: 'URLs', value: ({ unique_urls }: Pattern) => unique_urls, isNumber: true },
          { title: 'A day', value: ({ daily_avg }: Pattern) => daily_avg, isNumber: true },
          { title: '2xx', value: ({ status_2xx }: Pattern) => status_2xx, isNumber: true },
          { title: '3xx', value: ({ status_3xx }: Pattern) => status_3xx, isNumber: true },
          { title: '4xx', value: ({ status_4xx }: Pattern) => status_4xx, isNumber: true },
          { title: '5xx', value: ({ status_5xx }: Pattern) => status_5xx, isNumber: true },
          { title: 'Problems', value: ({ flags }: Pattern) => flags.join(', ') },
          { title: 'Example', value: ({ example_url }: Pattern) => example_url },
        ],
      })}
    >
      {(answer) => (
        <>
          <BarList
            label="URL patterns"
            tone="search"
            heads={['Pattern', 'Requests', 'Share of crawl', 'URLs', 'Status', 'Failed', 'Problems']}
            bars={answer.patterns.map((pattern) => ({
              key: pattern.pattern,
              label: <PatternName pattern={pattern} />,
              value: pattern.total_requests,
              cells: [
                percent(pattern.pct_of_crawl),
                short(pattern.unique_urls),
                <StatusMix counts={pattern} />,
                percent(failedShare(pattern)),
                pattern.flags.map((flag) => (
                  <span key={flag} class="tag warning">
                    {flag.replaceAll('_', ' ')}
                  </span>
                )),
              ],
            }))}
          />
          <p class="note">
            Counted: {answer.crawl_basis} requests, {short(answer.total_crawl_requests)} in all.{' '}
            {answer.complete
              ? 'All paths were examined.'
              : `The ${short(answer.paths_examined)} paths with most requests were examined.`}
          </p>
        </>
      )}
    </Card>
  );
}

function PatternName({ pattern: { pattern, example_url } }: { readonly pattern: Pattern }) {
  return (
    <>
      <code>{logText(pattern)}</code>
      <small>
        {' '}
        e.g. <PathLink path={example_url} />
      </small>
    </>
  );
}

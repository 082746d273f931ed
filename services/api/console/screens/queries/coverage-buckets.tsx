import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { ago, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { type Bucket, buckets, useCoverageChoice } from './buckets.js';

type Coverage = Answer<'getIndexCoverage'>;

/** Pages by whether crawlers fetched them and the engine lists them. A click narrows the list below. */
export function CoverageBuckets({ coverage }: { readonly coverage: ReadState<Coverage> }) {
  const { bucket, choose } = useCoverageChoice();
  return (
    <Card
      title="Index coverage"
      caption="crawled: fetched in the last 30 days"
      read={coverage}
      empty={{ when: ({ total_urls }) => !total_urls, text: 'No page is known yet.' }}
      table={(answer) => ({
        caption: 'Index coverage',
        rows: rowsOf(answer),
        columns: [
          { title: 'Pages', value: ({ title }) => title },
          { title: 'Number', value: ({ pages }) => pages, isNumber: true },
        ],
      })}
    >
      {(answer) => (
        <>
          <BarList
            label="Index coverage"
            tone="search"
            heads={['Pages', 'Number', 'Share']}
            onPick={(name) => choose('bucket', name)}
            bars={rowsOf(answer).map(({ name, title, pages }) => ({
              key: name,
              label: title,
              value: pages,
              isSelected: name === bucket,
              cells: [percent((pages / Math.max(answer.total_urls ?? 0, 1)) * 100)],
            }))}
          />
          <p class="caption">
            {short(answer.total_urls)} pages, data through {answer.data_freshness?.data_through ?? 'no day'},
            read {ago(answer.last_sync_at)}. The engine is asked about 2,000 pages a day at most.
          </p>
        </>
      )}
    </Card>
  );
}

function rowsOf({ buckets: counts }: Coverage) {
  return [...buckets].map(([name, title]) => ({ name, title, pages: counts?.[name as Bucket] ?? 0 }));
}

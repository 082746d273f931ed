import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { ago, exact, NOT_KNOWN, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import type { UrlAnswer } from './url-answer.js';

type Family = UrlAnswer['search_bots'][number];

/** Search engines that fetch the URL, and how much they care for it. */
export function UrlFetchers({ url }: { readonly url: ReadState<UrlAnswer> }) {
  return (
    <Card
      title="Search engines"
      caption="filters do not apply; score and interval are of 90 days"
      read={url}
      empty={{
        when: ({ search_bots }) => search_bots.length === 0,
        text: 'No search crawler fetched this URL in this window.',
      }}
      table={({ search_bots }) => ({
        caption: 'Search engines that fetch the URL',
        rows: search_bots,
        columns: [
          { title: 'Search engine', value: ({ family }: Family) => family },
          { title: 'Fetches', value: ({ fetches }: Family) => fetches, isNumber: true },
          { title: 'Verified', value: ({ verified_requests }: Family) => verified_requests, isNumber: true },
          { title: 'Unproved', value: ({ unproved_requests }: Family) => unproved_requests, isNumber: true },
          { title: 'Last fetch', value: ({ last_fetch }: Family) => last_fetch },
        ],
      })}
    >
      {({ search_bots, importance }) => (
        <BarList
          label="Search engines that fetch the URL"
          tone="search"
          heads={['Search engine', 'Fetches', 'Verified', 'Score, 0–10', 'Fetched every', 'Last']}
          bars={search_bots.map((bot) => {
            const score = importance.families.find(({ family }) => family === bot.family);
            return {
              key: bot.family,
              label: bot.family,
              value: bot.fetches,
              cells: [
                <span class="good">{short(bot.verified_requests)}</span>,
                exact(score?.score),
                intervalOf(score?.interval_days),
                ago(bot.last_fetch),
              ],
            };
          })}
        />
      )}
    </Card>
  );
}

function intervalOf(days: number | null | undefined): string {
  if (days === null || days === undefined) return NOT_KNOWN;
  return days < 1 ? `${exact(Math.round(days * 240) / 10)} h` : `${exact(days)} days`;
}

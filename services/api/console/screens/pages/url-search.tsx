import { useAddress } from '../../address.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { TimeChart } from '../../charts/time-chart.js';
import { exact, moment, percent, short, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { FactsList } from '../../parts/facts-list.js';
import type { UrlAnswer } from './url-answer.js';
import { textOf, Unavailable } from './url-sources.js';

type Index = UrlAnswer['index_status'];
type Day = NonNullable<Index['daily']>[number];

/** How the URL does in search: its index status, and its impressions and clicks. */
export function UrlSearch({ url }: { readonly url: ReadState<UrlAnswer> }) {
  const { link } = useAddress();
  return (
    <Card
      title="Search performance"
      caption="28 days of the search console; the window does not apply"
      read={url}
      table={({ index_status }) => ({
        caption: 'Search performance by day',
        rows: index_status.daily ?? [],
        columns: [
          { title: 'Day', value: ({ day }: Day) => day },
          { title: 'Impressions', value: ({ impressions }: Day) => impressions, isNumber: true },
          { title: 'Clicks', value: ({ clicks }: Day) => clicks, isNumber: true },
          { title: 'Share of clicks', value: ({ ctr }: Day) => ctr, isNumber: true },
          { title: 'Position', value: ({ position }: Day) => position, isNumber: true },
        ],
      })}
    >
      {({ index_status }) =>
        index_status.available || index_status.impressions_28d !== null ? (
          <div class="columns">
            <Performance index={index_status} />
            <IndexFacts index={index_status} />
          </div>
        ) : (
          <Unavailable reason={index_status.reason}>
            <a href={link({ screen: 'settings' })}>Connections</a>
          </Unavailable>
        )
      }
    </Card>
  );
}

function Performance({ index: { daily } }: { readonly index: Index }) {
  const days = daily ?? [];
  if (days.length === 0) return <p class="empty">No impression in these days.</p>;
  return (
    <TimeChart
      label="Impressions and clicks by day"
      times={days.map(({ day }) => Date.parse(day))}
      series={[
        { name: 'Impressions', colour: '--people', values: days.map(({ impressions }) => impressions) },
        { name: 'Clicks', colour: '--search', values: days.map(({ clicks }) => clicks) },
      ]}
    />
  );
}

function IndexFacts({ index }: { readonly index: Index }) {
  const queries = index.top_queries ?? [];
  return (
    <div>
      <FactsList
        facts={[
          ['Index', indexText(index)],
          ['Inspected', moment(index.inspected_at)],
          ['Canonical of the engine', textOf(index.engine_canonical)],
          ['Impressions, clicks', `${short(index.impressions_28d)}, ${short(index.clicks_28d)}`],
          ['Mean position', exact(index.avg_position)],
        ]}
      />
      {queries.length === 0 ? null : (
        <BarList
          label="Queries"
          tone="search"
          heads={['Query', 'Impressions', 'Clicks', 'Share', 'Position']}
          bars={queries.map(({ query, impressions, clicks, ctr, position }) => ({
            key: query,
            label: query,
            value: impressions,
            cells: [
              short(clicks),
              percent(ctr === null ? null : Math.round(ctr * 1_000) / 10),
              exact(position),
            ],
          }))}
        />
      )}
    </div>
  );
}

function indexText({ index_status, index_status_reason, inspected_at }: Index): string {
  if (index_status === null) return inspected_at === null ? 'not inspected' : 'not known';
  const status = words(index_status);
  return index_status_reason === null || index_status_reason === ''
    ? status
    : `${status}: ${textOf(index_status_reason)}`;
}

import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { TimeChart } from '../../charts/time-chart.js';
import { percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { completeBuckets } from '../../parts/complete-buckets.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { UnknownBots } from './unknown-bots.js';

type Traffic = Answer<'getTraffic'>;
type Bucket = Traffic['hourly'][number];
type Path = Answer<'getPaths'>['paths'][number];

const MOST_ROWS = 10;

/** Agents that read like programs without saying so, and bots that no table lists. */
export function UndeclaredTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const when = website !== null;
  const scope = scopeOf(address);
  const summary = useRead('getSummary', website, scope, { when });
  const traffic = useRead('getTraffic', website, scope, { when });
  const paths = useRead('getPaths', website, { ...scope, limit: 1000 }, { when });
  const unknown = useRead('getUnknownBots', website, scope, { when });
  return (
    <>
      <FigureTiles
        read={summary}
        count={3}
        tiles={({ undeclared_agent_requests, spoofed_bot_requests, total_requests, deltas }) => [
          {
            title: 'Undeclared agents',
            figure: short(undeclared_agent_requests),
            note: `requests, ${percent(shareOf(undeclared_agent_requests, total_requests))} of all`,
            change: deltas?.undeclared_agent_requests_pct,
            goodWhen: 'down',
          },
          {
            title: 'Unknown bots',
            figure: short(unknown.answer?.unknown_bots),
            note: `${short(unknown.answer?.requests)} requests`,
          },
          {
            title: 'Forged names',
            figure: short(spoofed_bot_requests),
            note: 'requests with a name of another operator',
            change: deltas?.spoofed_bot_requests_pct,
            goodWhen: 'down',
          },
        ]}
      />
      <UndeclaredSeries traffic={traffic} />
      <div class="columns">
        <UnknownBots unknown={unknown} />
        <UndeclaredPages paths={paths} />
      </div>
    </>
  );
}

function shareOf(part: number | null, total: number | null): number | null {
  return part === null || !total ? null : Math.round((part / total) * 10_000) / 100;
}

function UndeclaredSeries({ traffic }: { readonly traffic: ReadState<Traffic> }) {
  return (
    <Card
      title="Undeclared agents over time"
      caption="a browser's user agent from an address that an AI operator uses for crawlers only, or that the CDN knows as a bot's"
      read={traffic}
      empty={{
        when: (answer) =>
          bucketsOf(answer).every(({ undeclared_agent_requests }) => undeclared_agent_requests === 0),
        text: 'No undeclared agent came in this window.',
      }}
      table={(answer) => ({
        caption: 'Undeclared agents over time',
        rows: bucketsOf(answer),
        columns: [
          { title: 'Time', value: ({ time }: Bucket) => time },
          {
            title: 'Requests',
            value: ({ undeclared_agent_requests }: Bucket) => undeclared_agent_requests,
            isNumber: true,
          },
        ],
      })}
    >
      {(answer) => (
        <TimeChart
          label="Undeclared agents over time"
          isStacked
          times={bucketsOf(answer).map(({ time }) => Date.parse(time))}
          series={[
            {
              name: 'Undeclared agents',
              colour: '--bad',
              values: bucketsOf(answer).map(({ undeclared_agent_requests }) => undeclared_agent_requests),
            },
          ]}
        />
      )}
    </Card>
  );
}

/** Windows of more than two weeks are drawn by day. */
function bucketsOf({ hourly, daily, window }: Traffic): readonly Bucket[] {
  return completeBuckets(hourly.length > 24 * 15 ? daily : hourly, ({ time }) => time, window);
}

function UndeclaredPages({ paths }: { readonly paths: ReadState<Answer<'getPaths'>> }) {
  return (
    <Card
      title="Read by undeclared agents"
      caption="among the 1,000 most requested paths"
      read={paths}
      empty={{
        when: (answer) => read(answer).length === 0,
        text: 'Undeclared agents read none of these paths.',
      }}
      table={(answer) => ({
        caption: 'Paths read by undeclared agents',
        rows: read(answer),
        columns: [
          { title: 'Path', value: ({ path }: Path) => path },
          {
            title: 'Requests',
            value: ({ undeclared_agent_requests }: Path) => undeclared_agent_requests,
            isNumber: true,
          },
          { title: 'All requests', value: ({ requests }: Path) => requests, isNumber: true },
        ],
      })}
    >
      {(answer) => (
        <BarList
          label="Paths read by undeclared agents"
          tone="bad"
          heads={['Path', 'Undeclared', 'Of its requests']}
          bars={read(answer)
            .slice(0, MOST_ROWS)
            .map(({ path, requests, undeclared_agent_requests }) => ({
              key: path,
              label: <PathLink path={path} />,
              value: undeclared_agent_requests,
              cells: [percent(shareOf(undeclared_agent_requests, requests))],
            }))}
        />
      )}
    </Card>
  );
}

function read({ paths }: Answer<'getPaths'>): Path[] {
  return paths
    .filter(({ undeclared_agent_requests }) => undeclared_agent_requests > 0)
    .sort((a, b) => b.undeclared_agent_requests - a.undeclared_agent_requests);
}

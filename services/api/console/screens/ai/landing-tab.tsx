import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { columnSeries } from '../../charts/column-series.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { TimeChart } from '../../charts/time-chart.js';
import { logText, moment, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { completeBuckets } from '../../parts/complete-buckets.js';
import { Delta, hasBefore } from '../../parts/delta.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { LandingPages } from './landing-pages.js';

type Landing = Answer<'getAiLanding'>;
type Operator = Landing['by_operator'][number];
type ErrorPage = Landing['error_pages'][number];

/** Visits that AI assistants send: over time, by operator, by page, and those that end on an error. */
export function LandingTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const landing = useRead(
    'getAiLanding',
    website,
    { ...scopeOf(address), operator: address.rest.operator },
    { when: website !== null },
  );
  return (
    <>
      <FigureTiles
        read={landing}
        count={4}
        tiles={({ totals }) => [
          {
            title: 'Visits from AI',
            figure: short(totals.ai_referred_visits),
            change: totals.previous?.delta_pct,
            goodWhen: 'up',
          },
          {
            title: 'Share of visits',
            figure: percent(totals.share_of_human_traffic_pct),
            note: 'of visits by people',
          },
          { title: 'Landing pages', figure: short(totals.unique_paths) },
          {
            title: 'Landed on an error',
            figure: short(totals.error_landings),
            note: 'not counted as visits',
          },
        ]}
      />
      <LandingSeries landing={landing} />
      <LandingPages landing={landing} />
      <div class="columns">
        <LandingOperators landing={landing} />
        <ErrorLandings landing={landing} />
      </div>
    </>
  );
}

interface Part {
  readonly landing: ReadState<Landing>;
}

const noVisit = {
  when: ({ totals }: Landing) => totals.ai_referred_visits === 0,
  text: 'No visit from an AI assistant in this window.',
};

function LandingSeries({ landing }: Part) {
  return (
    <Card
      title="Visits from AI over time"
      read={landing}
      empty={noVisit}
      table={(answer) => ({
        caption: 'Visits from AI over time',
        rows: hoursOf(answer).map(({ hour }, place) => ({ hour, place })),
        columns: [
          { title: 'Time', value: ({ hour }: { hour: string }) => hour },
          ...columnSeries(hoursOf(answer), 'hour').map(({ name, values }) => ({
            title: name,
            value: ({ place }: { place: number }) => values[place] ?? 0,
            isNumber: true,
          })),
        ],
      })}
    >
      {(answer) => (
        <TimeChart
          label="Visits from AI over time"
          isStacked
          times={hoursOf(answer).map(({ hour }) => Date.parse(hour))}
          series={columnSeries(hoursOf(answer), 'hour')}
        />
      )}
    </Card>
  );
}

const hoursOf = ({ series, window }: Landing) => completeBuckets(series, ({ hour }) => String(hour), window);

function LandingOperators({ landing }: Part) {
  const { address, go } = useAddress();
  const pick = (name: string) => {
    const { operator, ...others } = address.rest;
    go({ rest: operator === name ? others : { ...others, operator: name } });
  };
  return (
    <Card
      title="Visits by operator"
      caption="a click shows only its visits"
      read={landing}
      empty={noVisit}
      table={(answer) => ({
        caption: 'Visits by operator',
        rows: answer.by_operator,
        columns: [
          { title: 'Operator', value: ({ operator }: Operator) => operator },
          { title: 'Visits', value: ({ visits }: Operator) => visits, isNumber: true },
          {
            title: 'Before',
            value: ({ previous_visits }: Operator) => (hasBefore(answer, address) ? previous_visits : null),
            isNumber: true,
          },
          { title: 'Pages', value: ({ unique_paths }: Operator) => unique_paths, isNumber: true },
          { title: 'Errors', value: ({ error_landings }: Operator) => error_landings, isNumber: true },
        ],
      })}
    >
      {({ by_operator }) => (
        <BarList
          label="Visits by operator"
          tone="ai"
          heads={['Operator', 'Visits', 'Change', 'Pages', 'Errors']}
          onPick={pick}
          bars={by_operator.map((operator) => ({
            key: operator.operator,
            label: <b>{logText(operator.operator)}</b>,
            value: operator.visits,
            isSelected: address.rest.operator === operator.operator,
            cells: [
              <Delta value={operator.delta_pct} goodWhen="up" />,
              short(operator.unique_paths),
              <span class={operator.error_landings > 0 ? 'bad' : ''}>{short(operator.error_landings)}</span>,
            ],
          }))}
        />
      )}
    </Card>
  );
}

function ErrorLandings({ landing }: Part) {
  return (
    <Card
      title="Landings on an error"
      caption="a wrong link of an assistant, or a page that is gone"
      read={landing}
      empty={{ when: ({ error_pages }) => error_pages.length === 0, text: 'Each visitor received a page.' }}
      table={({ error_pages }) => ({
        caption: 'Landings on an error',
        rows: error_pages,
        columns: [
          { title: 'Path', value: ({ path }: ErrorPage) => path },
          { title: 'Landings', value: ({ landings }: ErrorPage) => landings, isNumber: true },
          { title: 'Last status', value: ({ last_status }: ErrorPage) => last_status, isNumber: true },
          { title: 'Last seen', value: ({ last_seen }: ErrorPage) => last_seen },
        ],
      })}
    >
      {({ error_pages }) => (
        <BarList
          label="Landings on an error"
          tone="bad"
          heads={['Page', 'Landings', 'Status', 'Last']}
          bars={error_pages.slice(0, 10).map((page) => ({
            key: page.path,
            label: <PathLink path={page.path} />,
            value: page.landings,
            cells: [<span class="bad">{page.last_status}</span>, moment(page.last_seen)],
          }))}
        />
      )}
    </Card>
  );
}

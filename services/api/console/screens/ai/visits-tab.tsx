import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { Funnel } from '../../charts/funnel.js';
import { exact, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { NeverFetched } from './never-fetched.js';
import { OperatorReads } from './operator-reads.js';

type FunnelAnswer = Answer<'getAiFunnel'>;

/** From reads to visits: what AI operators fetch, what they show people, and who comes. */
export function VisitsTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const funnel = useRead('getAiFunnel', website, scopeOf(address), { when: website !== null });
  return (
    <>
      <Figures funnel={funnel} />
      <div class="columns">
        <FunnelCard funnel={funnel} />
        <OperatorLandings funnel={funnel} />
      </div>
      <OperatorReads funnel={funnel} />
      <NeverFetched funnel={funnel} />
    </>
  );
}

function Figures({ funnel }: { readonly funnel: ReadState<FunnelAnswer> }) {
  return (
    <FigureTiles
      read={funnel}
      count={5}
      tiles={({ totals }) => [
        {
          title: 'For training',
          figure: short(totals.training_requests),
          change: totals.deltas?.training_requests_pct,
        },
        { title: 'For answers', figure: short(totals.fetches), change: totals.deltas?.fetches_pct },
        {
          title: 'Citations',
          figure: short(totals.citations),
          note: 'at least: fetched for a person, proved, answered',
          change: totals.deltas?.citations_pct,
          goodWhen: 'up',
        },
        {
          title: 'Visits',
          figure: short(totals.referrals),
          note: `at least: people sent by an assistant; ${short(totals.error_landings)} more landed on an error`,
          change: totals.deltas?.referrals_pct,
          goodWhen: 'up',
        },
        {
          title: 'Reads per visit',
          figure: exact(totals.reads_per_visit),
          note: `training and answers; for answers alone ${exact(totals.fetches_per_visit)}`,
        },
      ]}
    />
  );
}

/** The operator of the address, or null for all. */
function chosenOf({ operators }: FunnelAnswer, name: string | undefined) {
  return operators.find(({ operator }) => operator === name) ?? null;
}

function FunnelCard({ funnel }: { readonly funnel: ReadState<FunnelAnswer> }) {
  const { address } = useAddress();
  const chosen = funnel.answer === null ? null : chosenOf(funnel.answer, address.rest.operator);
  return (
    <Card
      title={chosen === null ? 'Reads to visits' : `Reads to visits: ${logText(chosen.operator)}`}
      read={funnel}
      empty={{
        when: ({ operators }) => operators.length === 0,
        text: 'No AI operator read this website in this window.',
      }}
    >
      {(answer) => {
        const { fetches, citations, referrals } = chosen ?? answer.totals;
        return (
          <>
            <Funnel
              label="Reads to visits"
              stages={[
                { name: 'For answers', value: fetches },
                { name: 'Citations', value: citations },
                { name: 'Visits', value: referrals },
              ]}
            />
            <p class="note">
              An answer may cite a page without a new fetch, and show it without a click: citations and visits
              are lower bounds. Visits from Google's AI answers count as search.
            </p>
          </>
        );
      }}
    </Card>
  );
}

function OperatorLandings({ funnel }: { readonly funnel: ReadState<FunnelAnswer> }) {
  const { address, link } = useAddress();
  return (
    <Card
      title="Where their visitors land"
      read={funnel}
      empty={{
        when: (answer) => landingsOf(answer, address.rest.operator).length === 0,
        text: 'No visit from an AI assistant in this window.',
      }}
    >
      {(answer) => (
        <>
          <BarList
            label="Where their visitors land"
            tone="ai"
            heads={['Page', 'Visits']}
            bars={landingsOf(answer, address.rest.operator)
              .slice(0, 6)
              .map(({ path, visits }) => ({ key: path, label: <PathLink path={path} />, value: visits }))}
          />
          <p class="note">
            Among the top pages of each operator.{' '}
            <a href={link({ rest: { tab: 'landing' } })}>All landing pages</a>
          </p>
        </>
      )}
    </Card>
  );
}

function landingsOf(answer: FunnelAnswer, name: string | undefined) {
  const chosen = chosenOf(answer, name);
  const visitsOf = new Map<string, number>();
  for (const { top_landing_pages } of chosen === null ? answer.operators : [chosen])
    for (const { path, visits } of top_landing_pages) visitsOf.set(path, (visitsOf.get(path) ?? 0) + visits);
  return [...visitsOf].map(([path, visits]) => ({ path, visits })).sort((a, b) => b.visits - a.visits);
}

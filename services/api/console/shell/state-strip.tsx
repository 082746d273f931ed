import { useAddress } from '../address.js';
import type { Answer } from '../api/operations.js';
import { refreshScreen, useRead } from '../api/use-read.js';
import { ago, clock, day, zoneName } from '../format.js';
import { useWebsite } from '../parts/website.js';
import { ageOf, OLD_LIST_DAYS } from './age-of-line.js';
import { useAsOf } from './use-refresh.js';

/** How fresh and complete the figures are, and what is open. */
export function StateStrip() {
  const { link } = useAddress();
  const { website } = useWebsite();
  const when = website !== null;
  const health = useRead('getHealth', website, {}, { when, every: 10_000 });
  const setup = useRead('getSetup', website, {}, { when, every: 30_000 });
  const traffic = useRead('getTraffic', website, { hours: 168 }, { when, every: 300_000 });
  const asOf = useAsOf();
  const lists = setup.answer?.verification.oldest_list_days ?? null;
  const completeSince = traffic.answer?.complete_since ?? null;
  return (
    <p class="strip" role="status">
      {health.answer === null || hasNewLines(health.answer, setup.answer) ? null : (
        <LastLine health={health.answer} traffic={traffic.answer} />
      )}
      {completeSince === null ? null : <span>logs complete since {day(completeSince)}</span>}
      {health.problem === null ? null : <span class="bad">the state could not be read</span>}
      {health.answer === null ? null : <OpenIncidents count={health.answer.active_alerts.length} />}
      {lists === null ? null : lists > OLD_LIST_DAYS ? (
        <a
          class="warn"
          href={link({ screen: 'settings', rest: { tab: 'logs' } })}
          title="These lists decide which crawler is verified. `npm run refresh` renews them."
        >
          <i aria-hidden="true" />
          crawler lists <b>{lists} days old</b>: <code>npm run refresh</code>
        </a>
      ) : (
        <span>crawler lists {lists} days old</span>
      )}
      <span class="as-of">
        {asOf === null ? null : <>as of {clock(asOf)} · </>}
        times in {zoneName()}{' '}
        <button type="button" class="tool" title="Read all figures again" onClick={refreshScreen}>
          refresh
        </button>
      </span>
    </p>
  );
}

/** The first lines arrived after the state was read. */
function hasNewLines(health: Answer<'getHealth'>, setup: Answer<'getSetup'> | null): boolean {
  return health.last_received_at === null && setup?.logs.ever_received === true;
}

function LastLine({
  health,
  traffic,
}: {
  readonly health: Answer<'getHealth'>;
  readonly traffic: Answer<'getTraffic'> | null;
}) {
  const { link } = useAddress();
  const { tone, usual } = ageOf(health.last_received_at, traffic?.hourly ?? [], Date.now());
  return (
    <a
      class={tone}
      href={link({ screen: 'settings', rest: { tab: 'logs' } })}
      title={usual === null ? 'The arrival of logs' : `Usually a line comes at least every ${usual}.`}
    >
      <i aria-hidden="true" />
      last line <b>{ago(health.last_received_at)}</b>
    </a>
  );
}

function OpenIncidents({ count }: { readonly count: number }) {
  const { link } = useAddress();
  if (count === 0) return <span>no open incident</span>;
  return (
    <a class="bad" href={link({ screen: 'incidents' })}>
      <i aria-hidden="true" />
      <b>{count}</b> open {count === 1 ? 'incident' : 'incidents'}
    </a>
  );
}

import { useEffect } from 'preact/hooks';
import { scopeOf, useAddress, windowOf } from '../../address.js';
import { refreshScreen, useRead } from '../../api/use-read.js';
import { useWebsite } from '../../parts/website.js';
import { FirstLines } from '../set-up/first-lines.js';
import { SetUp } from '../set-up/set-up.js';
import { useFirstRun } from '../set-up/use-first-run.js';
import { AiOperators } from './ai-operators.js';
import { Changes } from './changes.js';
import { Countries } from './countries.js';
import { MovedPages } from './moved-pages.js';
import { Problems } from './problems.js';
import { RequestsByWho } from './requests-by-who.js';
import { SearchCrawlers } from './search-crawlers.js';
import { Tiles } from './tiles.js';

/** The figures; for a website without a line, how to send some. */
export function Overview() {
  const { website } = useWebsite();
  const { setup, phase } = useFirstRun(website);
  if (phase === 'waiting') return <SetUp setup={setup} />;
  return (
    <>
      {phase === 'arrived' ? <FirstLines setup={setup.answer} /> : null}
      <Figures isNew={phase === 'arrived'} />
    </>
  );
}

/** The first lines come quickly one after the other. */
const NEW_MS = 5_000;

function Figures({ isNew }: { readonly isNew: boolean }) {
  useEffect(() => {
    if (!isNew) return;
    const timer = setInterval(refreshScreen, NEW_MS);
    return () => clearInterval(timer);
  }, [isNew]);
  const { address } = useAddress();
  const { website, domain } = useWebsite();
  const when = website !== null;
  const scope = scopeOf(address);
  const summary = useRead('getSummary', website, scope, { when });
  const traffic = useRead('getTraffic', website, scope, { when });
  const funnel = useRead('getAiFunnel', website, scope, { when });
  const alerts = useRead('listAlerts', website, windowOf(address.period), { when });
  return (
    <>
      <h1 class="visually-hidden">Overview of {domain}</h1>
      <Changes
        summary={summary.answer}
        funnel={funnel.answer}
        alerts={alerts.answer}
        lacksAlerts={alerts.answer === null && alerts.problem !== null}
      />
      <Tiles summary={summary} traffic={traffic} funnel={funnel} />
      <RequestsByWho traffic={traffic} alerts={alerts.answer} />
      <div class="columns">
        <AiOperators funnel={funnel} />
        <SearchCrawlers />
      </div>
      <div class="columns three">
        <MovedPages />
        <Problems alerts={alerts} />
        <Countries />
      </div>
    </>
  );
}

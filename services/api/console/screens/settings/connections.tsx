import { useAddress, windowOf } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { ago, logText, NOT_KNOWN } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { Command } from './keys.js';

/** Outside services whose figures the console shows. */
export function Connections() {
  const { address } = useAddress();
  const { website, domain } = useWebsite();
  const when = website !== null;
  const search = useRead('getSearchPerformance', website, windowOf(address.period), { when });
  const visits = useRead('getGaOverview', website, windowOf(address.period), { when });
  return (
    <div class="stack">
      <Card title="Search performance" read={search}>
        {({ sc_connected, source, property_url, last_sync_at, last_sync_problem }) =>
          sc_connected ? (
            <Source
              source={source}
              property={property_url}
              lastSync={last_sync_at}
              problem={last_sync_problem}
            />
          ) : (
            <>
              <p>Not connected. An operator connects Google Search Console or Bing Webmaster Tools:</p>
              <Command
                text={`npm run admin -- connect search-console --website ${website} --property sc-domain:${domain} --service-account key.json`}
              />
              <Command
                text={`npm run admin -- connect bing --website ${website} --property https://${domain}/ --api-key <key>`}
              />
            </>
          )
        }
      </Card>
      <Card title="Google Analytics" read={visits}>
        {({ analytics_connected, property_name, last_sync_at, last_sync_problem }) =>
          analytics_connected ? (
            <Source
              source="google-analytics"
              property={property_name}
              lastSync={last_sync_at}
              problem={last_sync_problem}
            />
          ) : (
            <>
              <p>Not connected. An operator connects it:</p>
              <Command
                text={`npm run admin -- connect google-analytics --website ${website} --property 123456789 --name Shop --service-account key.json`}
              />
            </>
          )
        }
      </Card>
    </div>
  );
}

function Source({
  source,
  property,
  lastSync,
  problem,
}: {
  readonly source: string | null;
  readonly property: string | null;
  readonly lastSync: string | null;
  readonly problem: string | null;
}) {
  return (
    <>
      <dl class="facts">
        <dt>Source</dt>
        <dd>{source?.replaceAll('-', ' ') ?? NOT_KNOWN}</dd>
        <dt>Property</dt>
        <dd>{logText(property ?? NOT_KNOWN)}</dd>
        <dt>Last sync</dt>
        <dd>{ago(lastSync)}</dd>
      </dl>
      {problem === null ? null : <p class="notice warning">{logText(problem)}</p>}
    </>
  );
}

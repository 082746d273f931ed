import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, logText, percent } from '../../format.js';
import { type AlertTimes, windowOfTimes } from '../../parts/alert-times.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { filtersOf, type IncidentSubject, requestsOf } from './requests-of.js';

type Totals = Answer<'getTraffic'>['totals'];
type Bot = Answer<'getBots'>['bots'][number];

const MOST_PATHS = 500;
const MOST_DIRECTORIES = 8;

/** The requests of an incident: how many from its beginning to its end, of whom, and where. */
export function Extent({ of, times }: { readonly of: IncidentSubject; readonly times: AlertTimes }) {
  const { link } = useAddress();
  const { website } = useWebsite();
  const filters = filtersOf(of);
  const when = { when: website !== null && filters !== null };
  const window = windowOfTimes(times);
  const scope = { ...window, ...filters };
  const read = useRead('getTraffic', website, scope, when);
  const all = useRead('getTraffic', website, window, when);
  const bots = useRead('getBots', website, scope, when);
  const paths = useRead('getPaths', website, { ...scope, limit: MOST_PATHS }, when);
  const requests = <a href={link(requestsOf(of, times))}>all its requests →</a>;
  if (filters === null) return <p class="card extent-link">{requests}</p>;
  return (
    <Card
      title="Whole incident"
      caption="from its beginning to its last finding · without segment and countries"
      read={read}
      table={({ totals }) => ({
        caption: 'Requests of the incident',
        rows: whoOf(totals),
        columns: [
          { title: 'Who', value: ([name]: Who) => name },
          { title: 'Requests', value: ([, value]: Who) => value, isNumber: true },
        ],
      })}
    >
      {({ totals }) => (
        <>
          <p class="extent-total">
            <b>{exact(totals.total_requests)}</b> requests{shareOf(totals, all.answer?.totals)} · {requests}
          </p>
          <dl class="evidence-facts">
            {whoOf(totals).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{exact(value)}</dd>
              </div>
            ))}
            <div>
              <dt>Verified Googlebot</dt>
              <dd>{bots.answer === null ? '…' : googleText(bots.answer.bots)}</dd>
            </div>
          </dl>
          {paths.answer === null ? null : <Directories answer={paths.answer} />}
        </>
      )}
    </Card>
  );
}

type Who = readonly [name: string, requests: number];

function whoOf(totals: Totals): Who[] {
  const { human_requests, search_bot_requests, ai_bot_requests } = totals;
  const others = totals.total_requests - human_requests - search_bot_requests - ai_bot_requests;
  return [
    ['People', human_requests],
    ['Search crawlers', search_bot_requests],
    ['AI', ai_bot_requests],
    ['Other bots', others],
  ];
}

function shareOf(totals: Totals, all: Totals | undefined): string {
  if (all === undefined || all.total_requests === 0 || all.total_requests <= totals.total_requests) return '';
  return `, ${percent((100 * totals.total_requests) / all.total_requests)} of the ${exact(all.total_requests)} of that time`;
}

function googleText(bots: readonly Bot[]): string {
  const google = bots.filter(({ bot_name }) => bot_name === 'Googlebot');
  const verified = google.reduce((sum, { verified_requests }) => sum + verified_requests, 0);
  return verified === 0 ? 'not hit' : `hit, ${exact(verified)} requests`;
}

function Directories({ answer }: { readonly answer: Answer<'getPaths'> }) {
  const byDirectory = new Map<string, { requests: number; paths: number }>();
  for (const { path, requests } of answer.paths) {
    const directory = directoryOf(path);
    const known = byDirectory.get(directory) ?? { requests: 0, paths: 0 };
    byDirectory.set(directory, { requests: known.requests + requests, paths: known.paths + 1 });
  }
  const rows = [...byDirectory]
    .toSorted(([, a], [, b]) => b.requests - a.requests)
    .slice(0, MOST_DIRECTORIES);
  return (
    <>
      <BarList
        label="Directories of the incident"
        heads={['Directory', 'Requests', 'Paths']}
        tone="bad"
        bars={rows.map(([directory, { requests, paths }]) => ({
          key: directory,
          label: logText(directory),
          value: requests,
          cells: [exact(paths)],
        }))}
      />
      <p class="caption">
        {exact(answer.unique_paths)} paths
        {(answer.unique_paths ?? 0) > answer.paths.length
          ? `; directories are counted over the ${exact(answer.paths.length)} with most requests`
          : ''}
        {byDirectory.size > rows.length ? `; ${exact(byDirectory.size - rows.length)} more directories` : ''}.
      </p>
    </>
  );
}

/** The first directory; paths directly below the root have none. */
function directoryOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? '/' : path.slice(0, end + 1);
}

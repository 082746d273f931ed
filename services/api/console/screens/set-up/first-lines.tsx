import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { DEFAULT_PERIOD, periods, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';

type FoundRequest = Answer<'searchRequests'>['requests'][number];

const HOUR_MS = 3_600_000;
const SAMPLE = 100;

/** The optional fields of a line. */
const fields: readonly {
  readonly title: string;
  /** The consequence of a log without this field. */
  readonly without: string;
  readonly isIn: (request: FoundRequest) => boolean;
}[] = [
  { title: 'host', without: 'no figures by host', isIn: ({ host }) => host !== '' },
  { title: 'method', without: 'no figures by method', isIn: ({ method }) => method !== '' },
  { title: 'bytes', without: 'no transferred bytes', isIn: ({ bytes_sent }) => bytes_sent > 0 },
  { title: 'time taken', without: 'no latency', isIn: ({ time_taken_ms }) => time_taken_ms !== null },
  { title: 'user agent', without: 'no bots and no browsers', isIn: ({ user_agent }) => user_agent !== '' },
  { title: 'referrer', without: 'no visits from AI or search', isIn: ({ referrer }) => referrer !== '' },
  { title: 'cache status', without: 'no cache figures', isIn: ({ cache_status }) => cache_status !== '' },
  {
    title: 'content type',
    without: 'file types follow from the path alone',
    isIn: ({ content_type }) => content_type !== '',
  },
  { title: 'protocol', without: 'no HTTP versions', isIn: ({ protocol }) => protocol !== '' },
];

/** The first lines of a website: the fields that were recognised in them. An old log moves the window to its days. */
export function FirstLines({ setup }: { readonly setup: Answer<'getSetup'> | null }) {
  const { website } = useWebsite();
  const live = useRead('getLive', website, {}, { when: website !== null });
  const newest = live.answer?.requests[0]?.timestamp;
  const window = newest === undefined ? null : windowOfDay(newest);
  const read = useRead(
    'searchRequests',
    website,
    { ...window, limit: SAMPLE },
    { when: website !== null && window !== null },
  );
  const [isClosed, setIsClosed] = useState(false);
  useWindowOfLog(newest, read.answer?.data_since);
  if (isClosed) return null;
  const source = setup?.logs.last_upload?.source ?? null;
  return (
    <Card
      title="Your first lines are here"
      caption={source === null ? 'fields recognised' : `read as ${logText(source)} · fields recognised`}
      read={read}
    >
      {({ requests }) => (
        <>
          <ul class="found-fields">
            <li class="good">✓ time, address, path, status</li>
            {fields.map(({ title, without, isIn }) => {
              const count = requests.filter(isIn).length;
              return (
                <li key={title} class={count === 0 ? 'bad' : 'good'}>
                  {count === 0 ? '✗' : '✓'} {title}{' '}
                  <small>
                    {count === 0
                      ? `not in the log: ${without}`
                      : count === requests.length
                        ? ''
                        : `in ${short(count)} of ${short(requests.length)} lines`}
                  </small>
                </li>
              );
            })}
          </ul>
          <p class="pages">
            <span>Of the newest {short(requests.length)} lines.</span>
            {setup === null ? null : <a href={setup.guide_url}>The guide says how to send a missing field</a>}
            <button type="button" class="tool" onClick={() => setIsClosed(true)}>
              close
            </button>
          </p>
        </>
      )}
    </Card>
  );
}

/** A log that ended before the default window would give an empty chart. */
function useWindowOfLog(newest: string | undefined, since: string | null | undefined): void {
  const { address, link } = useAddress();
  const { route } = useLocation();
  const isOld = newest !== undefined && Date.parse(newest) < Date.now() - periods[DEFAULT_PERIOD] * HOUR_MS;
  useEffect(() => {
    if (!isOld || address.period !== DEFAULT_PERIOD) return;
    const end = Date.parse(newest) + HOUR_MS;
    const start = Math.max(since ? Date.parse(since) : 0, end - periods['90d'] * HOUR_MS);
    if (since !== undefined)
      route(link({ period: `${new Date(start).toISOString()}/${new Date(end).toISOString()}` }), true);
  }, [isOld, newest, since]);
}

function windowOfDay(newest: string): { readonly start: string; readonly end: string } {
  const at = Date.parse(newest);
  return { start: new Date(at - 24 * HOUR_MS).toISOString(), end: new Date(at + 1_000).toISOString() };
}

import { useEffect, useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { ago } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { RequestTable } from './request-table.js';

type LiveRequest = Answer<'getLive'>['requests'][number];

const POLL_MS = 3_000;
const types = [
  { name: 'all', title: 'all' },
  { name: 'human', title: 'people' },
  { name: 'bots', title: 'bots' },
  { name: 'errors', title: 'errors' },
] as const;

/** The newest requests, read again every three seconds until paused. It rests while its page is in the background. */
export function LiveTail() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const [isPaused, setIsPaused] = useState(false);
  const isVisible = useVisible();
  const type = types.find(({ name }) => name === address.rest.type)?.name ?? 'all';
  const isRunning = !isPaused && isVisible;
  const read = useRead(
    'getLive',
    website,
    { type, segment: address.segment },
    { when: website !== null && isRunning, every: POLL_MS },
  );
  const newest = read.answer?.requests[0]?.timestamp;
  return (
    <Card
      title="Live"
      caption={isPaused ? 'paused' : `the newest 100 requests, read every ${POLL_MS / 1_000} s`}
      read={read}
      empty={{ when: ({ requests }) => requests.length === 0, text: 'No such request is stored yet.' }}
      table={({ requests }) => ({
        caption: 'Newest requests',
        rows: requests,
        columns: [
          { title: 'Time', value: ({ timestamp }: LiveRequest) => timestamp },
          { title: 'Address', value: ({ client_ip }: LiveRequest) => client_ip },
          { title: 'Method', value: ({ method }: LiveRequest) => method },
          { title: 'Path', value: ({ path }: LiveRequest) => path },
          { title: 'Status', value: ({ status }: LiveRequest) => status, isNumber: true },
          { title: 'Bot', value: ({ bot_name }: LiveRequest) => bot_name },
          { title: 'User agent', value: ({ user_agent }: LiveRequest) => user_agent },
        ],
      })}
    >
      {({ requests }) => (
        <>
          <div class="choices-line">
            <button
              type="button"
              class="action"
              aria-pressed={isPaused}
              onClick={() => setIsPaused(!isPaused)}
            >
              {isPaused ? 'Continue' : 'Pause'}
            </button>
            {types.map(({ name, title }) => (
              <a
                key={name}
                href={link({ rest: { tab: 'live', type: name } })}
                aria-current={name === type ? 'true' : undefined}
              >
                {title}
              </a>
            ))}
            {newest === undefined ? null : <span class="caption">newest {ago(newest)}</span>}
          </div>
          <RequestTable label="Newest requests" requests={requests} />
        </>
      )}
    </Card>
  );
}

function useVisible(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setIsVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, moment, NOT_KNOWN, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Found = Answer<'searchUrls'>['results'][number];

/** The search runs when typing pauses for this long. */
const PAUSE_MS = 250;

/** A search field over all known URLs. Enter opens the first one, or the path itself. */
export function FindPage() {
  const { address, link, go } = useAddress();
  const { route } = useLocation();
  const { website } = useWebsite();
  const asked = address.rest.q ?? '';
  const [text, setText] = useState(asked);
  const q = text.trim();
  useEffect(() => {
    if (q === asked) return;
    const { q: _, ...others } = address.rest;
    const rest = q === '' ? others : { ...others, q };
    // Replaced, so that the back button does not undo letter by letter.
    const timer = setTimeout(() => route(link({ rest }), true), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q, asked]);
  const found = useRead(
    'searchUrls',
    website,
    { q: asked, limit: 15 },
    { when: website !== null && asked !== '' },
  );
  const open = (event: Event) => {
    event.preventDefault();
    const first = q === asked ? found.answer?.results[0]?.path : undefined;
    const path = first ?? (q.startsWith('/') ? q : undefined);
    if (path !== undefined) go({ rest: { path } });
  };
  return (
    <>
      <search>
        <form class="pages-find" onSubmit={open}>
          <input
            type="search"
            aria-label="Find a page"
            placeholder="Find a page: a part of its path, or its URL"
            maxLength={2048}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </form>
      </search>
      {asked === '' ? null : (
        <Card
          title="Found"
          caption="Enter opens the first one"
          read={found}
          empty={{
            when: ({ results }) => results.length === 0,
            text: 'No crawler, sitemap or crawl of the website knows such a URL. Enter opens a path that begins with a slash.',
          }}
        >
          {(answer) => (
            <>
              <DataTable table={tableOf(answer)} />
              <p class="note">
                {short(answer.results.length)} of {short(answer.total_matches)} URLs. Fetches of 90 days:{' '}
                {answer.crawl_basis} requests.
              </p>
            </>
          )}
        </Card>
      )}
    </>
  );
}

function tableOf({ results }: Answer<'searchUrls'>): Table {
  return {
    caption: 'URLs found',
    rows: results,
    columns: [
      {
        title: 'Path',
        value: ({ path }: Found) => path,
        show: ({ path }: Found) => <PathLink path={path} />,
      },
      { title: 'Known from', value: ({ source }: Found) => source.replaceAll('_', ' ') },
      {
        title: 'Sitemap',
        value: ({ in_sitemap, removed }: Found) => (in_sitemap ? 'listed' : removed ? 'removed' : 'no'),
      },
      { title: 'Fetches', value: ({ crawls }: Found) => crawls, isNumber: true },
      {
        title: 'Last fetch',
        value: ({ last_crawled }: Found) => last_crawled,
        show: ({ last_crawled, last_bot }: Found) =>
          last_crawled === null ? NOT_KNOWN : `${moment(last_crawled)}, ${logText(last_bot ?? '')}`,
      },
      {
        title: 'Status in crawl',
        value: ({ crawl_status_code }: Found) => crawl_status_code,
        isNumber: true,
      },
      {
        title: 'Indexable',
        value: ({ indexable }: Found) => (indexable === null ? null : indexable ? 'yes' : 'no'),
      },
    ],
  };
}

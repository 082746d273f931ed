import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, moment, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Choices } from '../../parts/choices.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Importance = Answer<'getPageImportance'>;
type Page = Importance['pages'][number];
type Step = Importance['distribution'][number];

const MOST_ROWS = 50;

/** How much search engines care for each page: its fetches of 90 days as a score of 0 to 10. */
export function ImportanceTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const read = useRead(
    'getPageImportance',
    website,
    { bot: address.rest.family, limit: 500 },
    { when: website !== null },
  );
  return (
    <div class="columns wide-first">
      <ImportantPages read={read} />
      <Distribution read={read} />
    </div>
  );
}

function unavailable({ available }: Importance): boolean {
  return !available;
}

const NOT_BUILT =
  'The scores are computed once a day. There are none yet, or search crawlers received no page.';

function ImportantPages({ read }: { readonly read: ReadState<Importance> }) {
  const { address, go } = useAddress();
  return (
    <Card
      title="Pages by importance"
      caption="score of 0 to 10 from fetches of 90 days; the window does not apply"
      read={read}
      empty={{ when: unavailable, text: NOT_BUILT }}
      table={({ pages }) => ({
        caption: 'Pages by importance',
        rows: pages,
        columns: [
          {
            title: 'Path',
            value: ({ path }: Page) => path,
            show: ({ path }: Page) => <PathLink path={path} />,
          },
          { title: 'Score', value: ({ score }: Page) => score, isNumber: true },
          { title: 'Fetches', value: ({ crawls }: Page) => crawls, isNumber: true },
        ],
      })}
    >
      {({ bot, bots, crawl_basis, page_count, total_crawls, generated_at, stale, pages }) => (
        <>
          <Choices
            label="Search engine"
            choices={bots.map((name) => ({ name, title: name }))}
            chosen={bot ?? ''}
            onChoose={(family) => go({ rest: { ...address.rest, family } })}
          />
          <BarList
            label="Pages by importance"
            tone="search"
            heads={['Page', 'Fetches', 'Score']}
            bars={pages.slice(0, MOST_ROWS).map(({ path, crawls, score }) => ({
              key: path,
              label: <PathLink path={path} />,
              value: crawls,
              cells: [<b>{exact(score)}</b>],
            }))}
          />
          <p class="note">
            {short(total_crawls)} {crawl_basis} fetches of {short(page_count)} pages; computed{' '}
            {moment(generated_at)}
            {stale ? ', and a newer computation is due' : ''}.
          </p>
        </>
      )}
    </Card>
  );
}

function Distribution({ read }: { readonly read: ReadState<Importance> }) {
  return (
    <Card
      title="Pages by score"
      read={read}
      empty={{ when: unavailable, text: NOT_BUILT }}
      table={({ distribution }) => ({
        caption: 'Pages by score',
        rows: distribution,
        columns: [
          { title: 'From', value: ({ min_score }: Step) => min_score, isNumber: true },
          { title: 'To', value: ({ max_score }: Step) => max_score, isNumber: true },
          { title: 'Pages', value: ({ pages }: Step) => pages, isNumber: true },
        ],
      })}
    >
      {({ distribution }) => (
        <BarList
          label="Pages by score"
          tone="search"
          heads={['Score', 'Pages']}
          bars={distribution.toReversed().map(({ min_score, max_score, pages }) => ({
            key: String(min_score),
            label: `${min_score} to ${max_score}`,
            value: pages,
          }))}
        />
      )}
    </Card>
  );
}

import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { exact, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { NO_CRAWL } from './no-crawl.js';

type Links = Answer<'getCrawlLinks'>;
type Node = Links['nodes'][number];
type ListName = 'nodes' | 'not_fetched' | 'hardly_linked';

const ROWS_AT_FIRST = 12;
const column = columnsOf<Node>();

/** The link graph as tables: the best linked pages, and where links and crawlers disagree. */
export function LinkGraph() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const links = useRead('getCrawlLinks', website, scopeOf(address), { when: website !== null });
  return (
    <>
      <NodeTable
        links={links}
        list="nodes"
        title="Best linked pages"
        caption="by PageRank within the website · requests of the window"
        emptyText={NO_CRAWL}
      />
      <NodeTable
        links={links}
        list="not_fetched"
        title="Well linked, but not fetched by search crawlers"
        caption="links say that these pages matter; no search crawler came in the window"
        emptyText="Search crawlers fetched every well linked page."
      />
      <NodeTable
        links={links}
        list="hardly_linked"
        title="Fetched often, but hardly linked"
        caption="search crawlers ask for these pages; nearly no link leads to them"
        emptyText="No page is fetched often without links."
      />
    </>
  );
}

function NodeTable({
  links,
  list,
  title,
  caption,
  emptyText,
}: {
  readonly links: ReadState<Links>;
  readonly list: ListName;
  readonly title: string;
  readonly caption: string;
  readonly emptyText: string;
}) {
  return (
    <Card
      title={title}
      caption={caption}
      read={links}
      empty={{
        when: (answer) => !answer[list]?.length,
        text: links.answer?.available === false ? NO_CRAWL : emptyText,
      }}
      table={(answer) => ({
        caption: title,
        first: ROWS_AT_FIRST,
        rows: answer[list] ?? [],
        columns: [
          column.text('Page', 'url', ({ path, url }) => <PathLink path={path} url={url} />),
          column.number('PageRank', 'pagerank', ({ pagerank }) => exact(pagerank)),
          column.number('Links to it', 'inlinks'),
          column.number('Links from it', 'outlinks'),
          column.number('Depth', 'depth'),
          column.number('Status', 'status', ({ status }) => (
            <span class={status !== null && status >= 400 ? 'bad' : ''}>{status ?? '–'}</span>
          )),
          column.number('Search crawlers', 'search_hits', ({ search_hits }) => (
            <span class={search_hits === 0 ? 'warn' : ''}>{short(search_hits)}</span>
          )),
          column.number('AI', 'ai_hits'),
          column.number('People', 'human_hits'),
        ],
      })}
    />
  );
}

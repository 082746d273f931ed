import { useMemo } from 'preact/hooks';
import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { logText, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { useWithout } from '../../parts/use-without.js';
import { useWebsite } from '../../parts/website.js';
import { BudgetUrls } from './budget-urls.js';
import { treeOf } from './directories.js';
import { DirectoryTree } from './directory-tree.js';

type Explorer = Answer<'getPathExplorer'>;
type Bot = Explorer['top_bots'][number];

const column = columnsOf<Explorer['directories'][number]>();

/** Requests of search crawlers by directory, by URL and by crawler. */
export function BudgetTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const explorer = useRead(
    'getPathExplorer',
    website,
    { ...scopeOf(address), limit: 1 },
    { when: website !== null },
  );
  return (
    <>
      <FigureTiles
        read={explorer}
        count={4}
        tiles={({ total_requests, verified_requests, unproved_requests, total_paths }) => [
          { title: 'Crawl requests', figure: short(total_requests), note: 'without proven impostors' },
          { title: 'Verified', figure: short(verified_requests), note: 'from a proven address' },
          { title: 'Unproved', figure: short(unproved_requests), note: 'cannot be proven, or not yet' },
          { title: 'Paths', figure: short(total_paths), note: 'distinct' },
        ]}
      />
      <div class="columns wide-first">
        <Directories explorer={explorer} />
        <BudgetBots explorer={explorer} />
      </div>
      <BudgetUrls key={address.filters.directory} />
    </>
  );
}

function Directories({ explorer }: { readonly explorer: ReadState<Explorer> }) {
  const { address, go } = useAddress();
  const root = useMemo(() => treeOf(explorer.answer?.directories ?? []), [explorer.answer]);
  const { directory = '/', ...others } = address.filters;
  const { page: _, ...rest } = address.rest;
  const without = useWithout(directory, 'prefix');
  return (
    <Card
      title="Crawl budget by directory"
      caption="all paths of each directory; a click on a name lists its URLs"
      read={explorer}
      empty={{
        when: ({ directories }) => directories.length === 0,
        text: 'No search crawler came in this window.',
      }}
      table={({ directories }) => ({
        caption: 'Directories by requests of search crawlers',
        rows: directories,
        columns: [
          column.text('Directory', 'directory'),
          column.number('Requests', 'requests'),
          column.number('Verified', 'verified_requests'),
          column.number('Paths', 'paths'),
          column.number('2xx', 'status_2xx'),
          column.number('3xx', 'status_3xx'),
          column.number('4xx', 'status_4xx'),
          column.number('5xx', 'status_5xx'),
          column.number('Failed, %', 'failed_pct'),
        ],
      })}
    >
      {({ total_requests }) =>
        root === null ? null : (
          <>
            <DirectoryTree
              root={root}
              total={total_requests ?? root.requests}
              chosen={directory}
              onChoose={(path) =>
                go({ rest, filters: path === '/' ? others : { ...others, directory: path } })
              }
            />
            {directory === '/' ? null : (
              <p class="note">
                <a href={without.href}>Everything without {logText(directory)}</a>
              </p>
            )}
          </>
        )
      }
    </Card>
  );
}

function BudgetBots({ explorer }: { readonly explorer: ReadState<Explorer> }) {
  const { address, toggleFilter } = useAddress();
  return (
    <Card
      title="By crawler"
      caption="a click filters"
      read={explorer}
      empty={{
        when: ({ top_bots }) => top_bots.length === 0,
        text: 'No search crawler came in this window.',
      }}
      table={({ top_bots }) => ({
        caption: 'Search crawlers by requests',
        rows: top_bots,
        columns: [
          { title: 'Crawler', value: ({ bot_name }: Bot) => bot_name },
          { title: 'Requests', value: ({ requests }: Bot) => requests, isNumber: true },
          { title: 'Verified', value: ({ verified_requests }: Bot) => verified_requests, isNumber: true },
          { title: 'Unproved', value: ({ unproved_requests }: Bot) => unproved_requests, isNumber: true },
          { title: 'Share, %', value: ({ share_pct }: Bot) => share_pct, isNumber: true },
        ],
      })}
    >
      {({ top_bots }) => (
        <BarList
          label="Search crawlers by requests"
          tone="search"
          heads={['Crawler', 'Requests', 'Verified', 'Share']}
          onPick={(name) => toggleFilter('bot', name)}
          bars={top_bots.map((bot) => ({
            key: bot.bot_name,
            label: bot.bot_name,
            value: bot.requests,
            isSelected: address.filters.bot === bot.bot_name,
            cells: [<span class="good">{short(bot.verified_requests)}</span>, percent(bot.share_pct)],
          }))}
        />
      )}
    </Card>
  );
}

import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { useCoverageChoice } from './buckets.js';

type Coverage = Answer<'getIndexCoverage'>;
type Directory = Coverage['directories'][number];

const column = columnsOf<Directory>();

/** The same by top folder. A click narrows the list below. */
export function CoverageDirectories({ coverage }: { readonly coverage: ReadState<Coverage> }) {
  const { directory: chosen, choose } = useCoverageChoice();
  return (
    <Card
      title="By directory"
      caption="listed = in the index of the engine"
      read={coverage}
      empty={{ when: ({ directories }) => !directories?.length, text: 'No directory is known yet.' }}
      table={({ directories }) => ({
        caption: 'Index coverage by directory',
        rows: directories ?? [],
        columns: [
          column.text('Directory', 'directory', ({ directory }) => (
            <button
              type="button"
              class="pick path"
              aria-pressed={chosen === directory}
              onClick={() => choose('directory', directory)}
            >
              {logText(directory)}
            </button>
          )),
          column.number('Listed', 'crawled_indexed'),
          column.number('Crawled, not listed', 'crawled_not_indexed', ({ crawled_not_indexed }) => (
            <span class={crawled_not_indexed > 0 ? 'warn' : ''}>{short(crawled_not_indexed)}</span>
          )),
          column.number('Listed, not crawled', 'not_crawled_indexed'),
          column.number('Neither', 'not_crawled_not_indexed'),
          column.number('Not asked', 'pending_inspection'),
        ],
      })}
    />
  );
}

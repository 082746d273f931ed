import { type Address, scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Delta, hasBefore } from '../../parts/delta.js';
import { isAsset } from '../../parts/is-asset.js';
import { useWebsite } from '../../parts/website.js';

type Path = Answer<'getPaths'>['paths'][number];

const MOST_ROWS = 8;

/** Pages whose requests changed most against the window before; without one to compare with, the most requested pages. */
export function MovedPages() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const paths = useRead('getPaths', website, { ...scopeOf(address), limit: 200 }, { when: website !== null });
  const compares = hasBefore(paths.answer, address);
  const title = compares ? 'Pages that moved' : 'Most requested pages';
  return (
    <Card
      title={title}
      caption={compares ? 'greatest change of requests first' : 'requests · 5xx'}
      read={paths}
      empty={{
        when: (answer) => moved(answer, address).length === 0,
        text: 'No page was requested in this window.',
      }}
      table={(answer) => ({
        caption: title,
        rows: moved(answer, address),
        columns: [
          { title: 'Path', value: ({ path }: Path) => path },
          { title: 'Requests', value: ({ requests }: Path) => requests, isNumber: true },
          {
            title: 'Before',
            value: ({ previous_requests }: Path) =>
              hasBefore(answer, address) ? (previous_requests ?? null) : null,
            isNumber: true,
          },
          { title: '5xx', value: ({ status_5xx }: Path) => status_5xx, isNumber: true },
        ],
      })}
    >
      {(answer) => (
        <BarList
          label={title}
          heads={['Path', 'Requests', 'Change', '5xx']}
          bars={moved(answer, address)
            .slice(0, MOST_ROWS)
            .map(({ path, requests, delta_pct, status_5xx }) => ({
              key: path,
              label: (
                <a class="path" href={link({ screen: 'pages', rest: { path } })}>
                  {logText(path)}
                </a>
              ),
              value: requests,
              cells: [
                <Delta value={delta_pct} />,
                <span class={status_5xx > 0 ? 'bad' : ''}>{short(status_5xx)}</span>,
              ],
            }))}
        />
      )}
    </Card>
  );
}

/** Without figures of the window before, the pages with the most requests come first. */
function moved(answer: Answer<'getPaths'>, address: Address): Path[] {
  const { paths } = answer;
  const compares = hasBefore(answer, address);
  const size = ({ requests, previous_requests }: Path) =>
    Math.abs(requests - (compares ? (previous_requests ?? 0) : 0));
  return paths.filter(({ path }) => !isAsset(path)).toSorted((a, b) => size(b) - size(a));
}

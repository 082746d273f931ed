import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, NOT_KNOWN, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';

type Page = Answer<'getAiLanding'>['pages'][number];

const MOST_ROWS = 15;

/** Pages that assistants send people to, whose assistants, and what people open next. */
export function LandingPages({ landing }: { readonly landing: ReadState<Answer<'getAiLanding'>> }) {
  return (
    <Card
      title="Landing pages"
      read={landing}
      empty={{
        when: ({ pages }) => pages.length === 0,
        text: 'No visit from an AI assistant in this window.',
      }}
      table={({ pages }) => ({
        caption: 'Landing pages of visits from AI',
        rows: pages,
        columns: [
          {
            title: 'Path',
            value: ({ path }: Page) => path,
            show: ({ path }: Page) => <PathLink path={path} />,
          },
          { title: 'Visits', value: ({ visits }: Page) => visits, isNumber: true },
          { title: 'Operators', value: operatorsOf },
          { title: 'Share of visits, %', value: ({ ai_share_pct }: Page) => ai_share_pct, isNumber: true },
          {
            title: 'Bounced, % (estimate)',
            value: ({ bounce_proxy_pct }: Page) => bounce_proxy_pct,
            isNumber: true,
          },
          {
            title: 'Opened next',
            value: ({ next_paths }: Page) => next_paths?.map(({ path }) => path).join(' ') ?? null,
          },
          { title: 'Last seen', value: ({ last_seen }: Page) => last_seen },
        ],
      })}
    >
      {({ pages, detection }) => (
        <>
          <BarList
            label="Landing pages of visits from AI"
            tone="ai"
            heads={['Page', 'Visits', 'Share of visits', 'Bounced (estimate)', 'Opened next']}
            bars={pages.slice(0, MOST_ROWS).map((page) => ({
              key: page.path,
              label: (
                <>
                  <PathLink path={page.path} /> <small>{operatorsOf(page)}</small>
                </>
              ),
              value: page.visits,
              cells: [percent(page.ai_share_pct), percent(page.bounce_proxy_pct), <Next page={page} />],
            }))}
          />
          <details class="note">
            <summary>How a visit is counted</summary>
            {detection.rule} A visit bounced if its address opened no other page within{' '}
            {detection.follow_on_minutes} minutes.
          </details>
          {pages.length > MOST_ROWS ? (
            <p class="note">
              {short(MOST_ROWS)} of {short(pages.length)} pages. The table has all.
            </p>
          ) : null}
        </>
      )}
    </Card>
  );
}

function operatorsOf({ operators }: Page): string {
  return Object.entries(operators)
    .map(([name, visits]) => `${logText(name)} ${short(visits)}`)
    .join(', ');
}

function Next({ page }: { readonly page: Page }) {
  const next = page.next_paths?.[0];
  return next === undefined ? NOT_KNOWN : <PathLink path={next.path} />;
}

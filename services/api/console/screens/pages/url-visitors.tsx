import { useAddress } from '../../address.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, percent } from '../../format.js';
import { Card } from '../../parts/card.js';
import type { UrlAnswer } from './url-answer.js';

interface Counted {
  readonly name: string;
  readonly requests: number;
  readonly share_pct: number;
}

/** Four short lists of the URL: clients, countries, referrers and statuses. */
export function UrlVisitors({ url }: { readonly url: ReadState<UrlAnswer> }) {
  const { address, go, toggleFilter } = useAddress();
  const { bot, status } = address.filters;
  return (
    <div class="columns">
      <CountedCard
        url={url}
        title="Status"
        chosen={status}
        onPick={(name) => toggleFilter('status', name)}
        rows={({ logs }) => logs.status_codes.map((row) => ({ ...row, name: String(row.status) }))}
      />
      <CountedCard
        url={url}
        title="Bots"
        chosen={bot}
        onPick={(name) => toggleFilter('bot', name)}
        rows={({ logs }) => logs.top_bots.map((row) => ({ ...row, name: row.bot_name }))}
      />
      <CountedCard
        url={url}
        title="Referrers"
        rows={({ logs }) => logs.top_referrers.map((row) => ({ ...row, name: row.referrer_domain }))}
      />
      <CountedCard
        url={url}
        title="Countries"
        chosen={address.countries ?? undefined}
        onPick={(name) => go({ countries: name === address.countries ? null : name })}
        rows={({ logs }) =>
          logs.top_countries.map((row) => ({ ...row, name: row.country, label: row.country_name }))
        }
      />
    </div>
  );
}

function CountedCard({
  url,
  title,
  rows,
  chosen,
  onPick,
}: {
  readonly url: ReadState<UrlAnswer>;
  readonly title: string;
  readonly rows: (answer: UrlAnswer) => readonly (Counted & { readonly label?: string })[];
  readonly chosen?: string | undefined;
  readonly onPick?: (name: string) => void;
}) {
  return (
    <Card
      title={title}
      read={url}
      empty={{ when: (answer) => rows(answer).length === 0, text: 'None in this window.' }}
      table={(answer) => ({
        caption: title,
        rows: rows(answer),
        columns: [
          { title, value: ({ name }: Counted) => name },
          { title: 'Requests', value: ({ requests }: Counted) => requests, isNumber: true },
          { title: 'Share, %', value: ({ share_pct }: Counted) => share_pct, isNumber: true },
        ],
      })}
    >
      {(answer) => (
        <BarList
          label={title}
          heads={[title, 'Requests', 'Share']}
          {...(onPick === undefined ? {} : { onPick })}
          bars={rows(answer).map(({ name, label, requests, share_pct }) => ({
            key: name,
            label: logText(label ?? name),
            value: requests,
            isSelected: name === chosen,
            cells: [percent(share_pct)],
          }))}
        />
      )}
    </Card>
  );
}

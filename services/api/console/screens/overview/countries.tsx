import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { WorldMap } from '../../charts/world-map.js';
import { short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Delta, isCompared } from '../../parts/delta.js';
import { useWebsite } from '../../parts/website.js';

type Country = Answer<'getGeography'>['countries'][number];

const MOST_ROWS = 10;

/** Countries by requests of people. A click filters every figure by the country. */
export function Countries() {
  const { address, go } = useAddress();
  const { website } = useWebsite();
  const geography = useRead('getGeography', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Countries"
      caption="people · bots"
      read={geography}
      empty={{ when: ({ countries }) => countries.length === 0, text: 'No requests in this window.' }}
      table={({ countries }) => ({
        caption: 'Countries',
        rows: countries,
        columns: [
          { title: 'Country', value: ({ country_name }: Country) => country_name },
          { title: 'People', value: ({ human_requests }: Country) => human_requests, isNumber: true },
          { title: 'Bots', value: ({ bot_requests }: Country) => bot_requests, isNumber: true },
          { title: 'Requests', value: ({ requests }: Country) => requests, isNumber: true },
          {
            title: 'Change of requests, %',
            value: ({ delta_pct }: Country) => (isCompared(address) ? delta_pct : null),
            show: ({ delta_pct }: Country) => <Delta value={delta_pct} />,
            isNumber: true,
          },
        ],
      })}
    >
      {({ countries }) => (
        <>
          <WorldMap
            label="People by country"
            values={new Map(countries.map(({ country, human_requests }) => [country, human_requests]))}
            names={new Map(countries.map(({ country, country_name }) => [country, country_name]))}
          />
          <BarList
            label="Countries"
            heads={['Country', 'People', 'Bots']}
            onPick={(country) => go({ countries: address.countries === country ? null : country })}
            bars={countries
              .toSorted((a, b) => b.human_requests - a.human_requests)
              .slice(0, MOST_ROWS)
              .map(({ country, country_name, human_requests, bot_requests }) => ({
                key: country,
                label: country_name === '' ? 'unknown' : country_name,
                value: human_requests,
                isSelected: address.countries === country,
                cells: [short(bot_requests)],
              }))}
          />
        </>
      )}
    </Card>
  );
}

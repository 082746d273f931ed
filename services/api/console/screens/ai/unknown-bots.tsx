import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { bytes, logText, moment, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { FactsList } from '../../parts/facts-list.js';

type Bot = Answer<'getUnknownBots'>['bots'][number];

/** Declared bots that the table of crawlers lacks, with the details that help to find their owner. */
export function UnknownBots({ unknown }: { readonly unknown: ReadState<Answer<'getUnknownBots'>> }) {
  return (
    <Card
      title="Unknown bots"
      caption="they say that they are bots; the table of crawlers lacks them"
      read={unknown}
      empty={{
        when: ({ bots }) => bots.length === 0,
        text: 'The table of crawlers lists each bot of this window.',
      }}
      table={({ bots }) => ({
        caption: 'Unknown bots',
        rows: bots,
        columns: [
          { title: 'Bot', value: ({ bot_name }: Bot) => bot_name },
          { title: 'Requests', value: ({ requests }: Bot) => requests, isNumber: true },
          { title: 'Addresses', value: ({ unique_ips }: Bot) => unique_ips, isNumber: true },
          { title: 'Paths', value: ({ unique_paths }: Bot) => unique_paths, isNumber: true },
          { title: 'User agent', value: ({ sample_user_agents }: Bot) => sample_user_agents[0] ?? null },
          { title: 'Network', value: ({ networks }: Bot) => networks[0]?.as_name ?? null },
          { title: 'First seen', value: ({ first_seen }: Bot) => first_seen },
          { title: 'Last seen', value: ({ last_seen }: Bot) => last_seen },
        ],
      })}
    >
      {({ bots }) => (
        <ul class="unknown-bots">
          {bots.map((bot) => (
            <UnknownBot key={bot.bot_name} bot={bot} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function UnknownBot({ bot }: { readonly bot: Bot }) {
  const { address, toggleFilter } = useAddress();
  const networks = bot.networks.map(
    ({ as_name, ip_range, requests }) => `${as_name ?? ''} ${ip_range} (${short(requests)})`,
  );
  return (
    <li>
      <h3>
        <button
          type="button"
          class="pick"
          aria-pressed={address.filters.bot === bot.bot_name}
          onClick={() => toggleFilter('bot', bot.bot_name)}
        >
          <b>{logText(bot.bot_name)}</b>
        </button>{' '}
        <small>
          {short(bot.requests)} requests from {short(bot.unique_ips)} addresses for {short(bot.unique_paths)}{' '}
          paths, {bytes(bot.bytes_sent)}
        </small>
      </h3>
      <FactsList
        facts={[
          ['User agent', <code>{logText(bot.sample_user_agents[0] ?? '')}</code>],
          ['Networks', logText(networks.slice(0, 3).join(', '))],
          ['Countries', bot.countries.map(({ country_name }) => logText(country_name)).join(', ')],
          ['Seen', `${moment(bot.first_seen)} to ${moment(bot.last_seen)}`],
        ]}
      />
    </li>
  );
}

import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, percent, short, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Forged } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';

type Bot = Answer<'getBotsAccess'>['bots'][number];

const MOST_ROWS = 40;

/** How the real crawler fares, in a sentence. */
const sentences: ReadonlyMap<Bot['real_crawler'], { readonly text: string; readonly tone: string }> = new Map(
  [
    ['let_in', { text: 'let in', tone: 'good' }],
    ['limited', { text: 'partly refused', tone: 'warn' }],
    ['shut_out', { text: 'shut out', tone: 'bad' }],
    ['inverted', { text: 'shut out, impostors get in', tone: 'bad' }],
    ['charged', { text: 'asked to pay', tone: 'warn' }],
    ['unanswered', { text: 'neither served nor refused', tone: '' }],
    ['unproved', { text: 'identity not proved', tone: '' }],
    ['absent', { text: 'only impostors came', tone: '' }],
  ],
);

/** Which bots are served and which are turned away. Most rejections come first. */
export function BotAccess() {
  const { address, toggleFilter } = useAddress();
  const { website } = useWebsite();
  const read = useRead('getBotsAccess', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Access of bots"
      caption="refused · share · served · verified, refused · impostors, served"
      read={read}
      empty={{ when: ({ bots }) => bots.length === 0, text: 'No bot came in this window.' }}
      table={({ bots }) => ({
        caption: 'Access of bots',
        rows: bots,
        columns: [
          { title: 'Bot', value: ({ bot_name }: Bot) => bot_name },
          { title: 'Operator', value: ({ bot_operator }: Bot) => bot_operator },
          { title: 'Requests', value: ({ requests }: Bot) => requests, isNumber: true },
          { title: 'Served', value: ({ served }: Bot) => served.requests, isNumber: true },
          { title: 'Refused', value: ({ rejected }: Bot) => rejected.requests, isNumber: true },
          { title: 'Refused, verified', value: ({ rejected }: Bot) => rejected.verified, isNumber: true },
          { title: 'Served, forged', value: ({ served }: Bot) => served.spoofed, isNumber: true },
          {
            title: 'Payment required',
            value: ({ payment_required }: Bot) => payment_required.requests,
            isNumber: true,
          },
          { title: 'Real crawler', value: ({ real_crawler }: Bot) => real_crawler },
          { title: 'Refused are', value: ({ rejected_who }: Bot) => rejected_who },
        ],
      })}
    >
      {({ bots }) => (
        <>
          <BarList
            label="Access of bots"
            tone="bad"
            heads={['Bot', 'Refused', 'Share', 'Served', 'Refused, verified', 'Served, forged']}
            bars={bots.slice(0, MOST_ROWS).map((bot) => ({
              key: bot.bot_name,
              label: <Label bot={bot} onPick={() => toggleFilter('bot', bot.bot_name)} />,
              value: bot.rejected.requests,
              isSelected: address.filters.bot === bot.bot_name,
              cells: [
                percent(bot.rejected_share_pct),
                short(bot.served.requests),
                <span class={bot.rejected.verified > 0 ? 'bad' : ''}>{short(bot.rejected.verified)}</span>,
                <Forged count={bot.served.spoofed} bot={bot.bot_name} />,
              ],
            }))}
          />
          {bots.length > MOST_ROWS ? (
            <p class="caption">{bots.length - MOST_ROWS} more bots: see the table.</p>
          ) : null}
        </>
      )}
    </Card>
  );
}

function Label({ bot, onPick }: { readonly bot: Bot; readonly onPick: () => void }) {
  const sentence = sentences.get(bot.real_crawler);
  const paths = bot.rejected_paths.slice(0, 3).map(({ path, status }) => `${status} ${logText(path ?? '')}`);
  return (
    <>
      <button type="button" class="pick" onClick={onPick}>
        <b>{logText(bot.bot_name)}</b>
      </button>{' '}
      <small>{logText(bot.bot_operator)}</small>{' '}
      <span class={`verdict ${sentence?.tone ?? ''}`}>{sentence?.text ?? words(bot.real_crawler)}</span>
      {paths.length === 0 ? null : <small class="path refused-paths">{paths.join(' · ')}</small>}
    </>
  );
}

import type { NamesIt } from '../requests/naming-address.js';
import type { BotSignal, ClientSignal, MinuteSignal } from './signal.js';

/**
 * Counts without an address, for erasure: its entry, what was shown of it as a sample, and texts of others that name it go; numbers stay.
 * @returns the same value where nothing of it is in it. Pure.
 */
export function withoutAddress(counts: MinuteSignal, names: NamesIt): MinuteSignal {
  const byBot = mapped(counts.byBot, (bot) => botWithout(bot, names));
  const byClient = mapped(counts.byClient, (client) => clientWithout(client, names));
  const failingPaths = mapped(counts.failingPaths, (entry) => (names(entry.path) ? null : entry));
  const isSame =
    byBot === counts.byBot && byClient === counts.byClient && failingPaths === counts.failingPaths;
  return isSame ? counts : { ...counts, byBot, byClient, failingPaths };
}

function botWithout(bot: BotSignal, names: NamesIt): BotSignal | null {
  if ([bot.name, bot.family, bot.operator].some(names)) return null;
  if (![bot.sampleIp, bot.sampleUserAgent, bot.samplePath].some(names)) return bot;
  return { ...bot, sampleIp: '', sampleUserAgent: '', samplePath: '' };
}

function clientWithout(client: ClientSignal, names: NamesIt): ClientSignal | null {
  if ([client.ip, client.botName].some(names)) return null;
  const { sampleUserAgent, samplePaths } = client;
  if (![sampleUserAgent, ...samplePaths].some(names)) return client;
  return {
    ...client,
    sampleUserAgent: names(sampleUserAgent) ? '' : sampleUserAgent,
    samplePaths: samplePaths.filter((path) => !names(path)),
  };
}

/** @param change null: the entry goes. @returns the same list where none changed. */
function mapped<Entry>(entries: readonly Entry[], change: (entry: Entry) => Entry | null): readonly Entry[] {
  const changed = entries.map(change);
  if (changed.every((entry, index) => entry === entries[index])) return entries;
  return changed.filter((entry) => entry !== null);
}

import type { BotSignal, ClientSignal, MinuteSignal } from '../../../shared/detection/signal.js';
import { signalText } from '../../../shared/detection/signal-text.js';

/** What of a minute's foreign texts is held in memory and saved, in UTF-16 code units: evidence that a person knows them by. */
const MAX_HELD_TEXT = 120;
/** The names of crawlers stand at the end of long ones. */
const MAX_HELD_AGENT = 200;

/** Of a minute without lists, and of an entry without its texts: the names of its fields in JSON, its numbers. */
const MINUTE_WEIGHT = 400;
const ENTRY_WEIGHT = 250;

const held = (text: string) => signalText(text, MAX_HELD_TEXT);
const heldAgent = (text: string) => signalText(text, MAX_HELD_AGENT);

/** The minute with its texts cut to what is held. Counts and lists stay. Pure. */
export function heldMinute(minute: MinuteSignal): MinuteSignal {
  return {
    ...minute,
    byBot: minute.byBot.map(heldBot),
    byClient: minute.byClient.map(heldClient),
    failingPaths: minute.failingPaths.map((entry) => ({ ...entry, path: held(entry.path) })),
  };
}

function heldBot(bot: BotSignal): BotSignal {
  return {
    ...bot,
    name: held(bot.name),
    family: held(bot.family),
    operator: held(bot.operator),
    category: held(bot.category),
    verification: held(bot.verification),
    sampleIp: held(bot.sampleIp),
    sampleUserAgent: heldAgent(bot.sampleUserAgent),
    samplePath: held(bot.samplePath),
  };
}

function heldClient(client: ClientSignal): ClientSignal {
  return {
    ...client,
    ip: held(client.ip),
    country: held(client.country),
    asName: held(client.asName),
    botName: held(client.botName),
    verification: held(client.verification),
    sampleUserAgent: heldAgent(client.sampleUserAgent),
    samplePaths: client.samplePaths.map(held),
  };
}

/** Counts alone. Pure. */
export function withoutLists(counts: MinuteSignal): MinuteSignal {
  return { ...counts, byBot: [], byClient: [], failingPaths: [] };
}

/** What counts weigh in memory and as JSON, in characters, roughly: a character has one to three bytes. */
export function weightOf({ byBot, byClient, failingPaths }: MinuteSignal): number {
  let weight = MINUTE_WEIGHT;
  for (const bot of byBot) weight += weightOfBot(bot);
  for (const client of byClient) weight += weightOfClient(client);
  for (const { path } of failingPaths) weight += ENTRY_WEIGHT + path.length;
  return weight;
}

function weightOfBot({ name, family, operator, sampleUserAgent, samplePath }: BotSignal): number {
  const texts = name.length + family.length + operator.length + sampleUserAgent.length + samplePath.length;
  return ENTRY_WEIGHT + texts;
}

function weightOfClient({ asName, botName, sampleUserAgent, samplePaths }: ClientSignal): number {
  const texts = asName.length + botName.length + sampleUserAgent.length;
  return samplePaths.reduce((sum, path) => sum + path.length, ENTRY_WEIGHT + texts);
}

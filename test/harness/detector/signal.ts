import fc from 'fast-check';
import { type BotFailures, noBotFailures } from '../../../shared/detection/bot-failures.js';
import { emptyMinute } from '../../../shared/detection/fold-signals.js';
import type {
  BotSignal,
  ClientSignal,
  MinuteSignal,
  PathSignal,
  Signal,
} from '../../../shared/detection/signal.js';
import { decodeSignalRecord } from '../../../shared/detection/signal-codec.js';

/** Signals for tests. What bots met is what their list tells, unless it is given. */

const MINUTE_MS = 60_000;

function listedFailures(byBot: readonly BotSignal[]): BotFailures {
  const failures: { -readonly [Field in keyof BotFailures]: number } = { ...noBotFailures };
  for (const { notFound, rejected, status5xx } of byBot) {
    failures.botsNotFound += notFound;
    failures.botsOther4xx += rejected;
    failures.bots5xx += status5xx;
  }
  return failures;
}

/** The signal of a record. @throws Error where it is none */
export function decodeSignal(value: Buffer): Signal {
  const record = decodeSignalRecord(value);
  if (record.kind !== 'signal') throw new Error('the record tells to forget an address');
  return record.signal;
}

export function minuteOf(given: Partial<MinuteSignal>): MinuteSignal {
  return { ...emptyMinute(0), ...listedFailures(given.byBot ?? []), ...given };
}

export function botOf(given: Partial<BotSignal>): BotSignal {
  return {
    name: 'Examplebot',
    family: 'Examplebot',
    operator: 'Example',
    category: 'search',
    verification: 'unverifiable',
    requests: 1,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    sampleIp: '192.0.2.1',
    sampleUserAgent: 'Examplebot/1.0',
    samplePath: '',
    ...given,
  };
}

export function clientOf(given: Partial<ClientSignal>): ClientSignal {
  return {
    ip: '192.0.2.1',
    country: 'DE',
    asn: 64_500,
    asName: 'Example',
    requests: 1,
    pages: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    probes: 0,
    paths: 1,
    isPerson: false,
    botName: '',
    verification: '',
    sampleUserAgent: 'curl/8',
    samplePaths: ['/'],
    ...given,
  };
}

const count = fc.nat(1_000_000);
// Few of them, so that entries of two minutes meet; one is a name that plain objects have.
const name = fc.oneof(fc.constantFrom('', 'Googlebot', 'GPTBot', '__proto__'), fc.string({ maxLength: 8 }));

const bot: fc.Arbitrary<BotSignal> = fc.record({
  name,
  family: name,
  operator: name,
  category: name,
  verification: fc.constantFrom('verified', 'spoofed', 'unverifiable', 'pending', 'undeclared'),
  requests: count,
  notFound: count,
  rejected: count,
  status5xx: count,
  sampleIp: name,
  sampleUserAgent: name,
  samplePath: name,
});

const client: fc.Arbitrary<ClientSignal> = fc.record({
  ip: fc.oneof(name, fc.ipV4()),
  country: name,
  asn: fc.nat(0xffff_ffff),
  asName: name,
  requests: count,
  pages: count,
  notFound: count,
  rejected: count,
  status5xx: fc.oneof(fc.constant(0), count),
  probes: fc.nat(3),
  paths: fc.nat(200),
  isPerson: fc.boolean(),
  botName: name,
  verification: name,
  sampleUserAgent: name,
  samplePaths: fc.array(name, { maxLength: 3 }),
});

const path: fc.Arbitrary<PathSignal> = fc.record({
  path: fc.webPath(),
  status: fc.constantFrom(404, 410, 500, 502),
  requests: count,
});

/** As the enricher makes them: no key twice, lists within their bounds. */
export const minute: fc.Arbitrary<MinuteSignal> = fc.record({
  minute: fc.nat(30_000_000).map((number) => number * MINUTE_MS),
  requests: count,
  people: count,
  bots: count,
  crawlers: count,
  aiBots: count,
  spoofed: count,
  undeclared: count,
  status4xx: count,
  notFound: count,
  rejected: count,
  status5xx: count,
  timed: count,
  timeTakenMs: fc.nat(2 ** 40),
  bytesSent: fc.nat(2 ** 40),
  botsNotFound: count,
  botsOther4xx: count,
  bots5xx: count,
  byBot: fc.uniqueArray(bot, {
    maxLength: 40,
    selector: ({ name: of, operator, verification }) => `${of}\0${operator}\0${verification}`,
  }),
  byClient: fc.uniqueArray(client, { maxLength: 30, selector: ({ ip }) => ip }),
  failingPaths: fc.uniqueArray(path, {
    maxLength: 10,
    selector: ({ path: of, status }) => `${status} ${of}`,
  }),
});

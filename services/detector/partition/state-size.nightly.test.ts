import { expect, test } from 'vitest';
import { alertFamilies } from '../../../shared/alerts/alert.js';
import {
  MAX_BOTS,
  MAX_CLIENTS,
  MAX_PATHS,
  MAX_TEXT,
  type MinuteSignal,
} from '../../../shared/detection/signal.js';
import { DAY_MS } from '../../../shared/durations.js';
import { START } from '../../../test/harness/detector/partition-world.js';
import { botOf, clientOf, minuteOf } from '../../../test/harness/detector/signal.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import { mergeFinding } from '../findings/merge.js';
import { remember } from '../memory.js';
import { detectorCore } from '../open-detector.js';
import { takeSignal } from '../signals/website-signals.js';
import { decodeTracked, encodeTracked, MAX_STATE_BYTES, newTrackedWebsite } from './tracked-website.js';

/** What whoever has an ingest key can make a website's state of. Three bytes a character, or six where JSON escapes it. */
const fillings = { 'of three bytes': '漢', 'that JSON escapes': '\u0001', 'that JSON quotes': '"' };

function longMinute(minute: number, filling: string): MinuteSignal {
  const text = (beginning: string) => beginning.padEnd(MAX_TEXT, filling);
  const samples = { sampleUserAgent: text('u'), samplePath: text('/') };
  const named = (name: string) => ({ name: text(name), family: text(name), operator: text('o') });
  return minuteOf({
    ...{ minute, requests: 70, bots: 70 },
    byBot: Array.from({ length: MAX_BOTS }, (_, at) => botOf({ ...named(`${minute} ${at}`), ...samples })),
    byClient: Array.from({ length: MAX_CLIENTS }, (_, at) =>
      clientOf({
        ...{ ip: `2001:db8::${at}`, asName: text('n'), botName: text('b'), sampleUserAgent: text('u') },
        samplePaths: ['/a', '/b', '/c'].map(text),
      }),
    ),
    failingPaths: Array.from({ length: MAX_PATHS }, (_, at) => ({
      path: text(`/${at}`),
      status: 404,
      requests: 1,
    })),
  });
}

/** Eight days of open intervals and as many bots, crawlers, windows and alerts as are remembered, each with the longest texts. */
function longest(filling: string) {
  const website = newTrackedWebsite(detectorCore, 'w');
  const { signals, state } = website;
  const oldest = START - 8 * DAY_MS;
  for (let minute = oldest; minute < START; minute += INTERVAL_MS)
    takeSignal(signals, {
      ...{ token: `requests.raw/${minute % 300}/${minute}/m`, websiteId: 'w', storedAt: START },
      minutes: [longMinute(minute, filling)],
    });
  const [newest] = [...signals.open.values()].slice(-1);
  const none = { errors: 0, notFound: 0, status5xx: 0 };
  const remainder = { requests: 0, people: 0, ...none, ofPeople: none };
  for (const family of alertFamilies)
    state.windows[family] = { start: START, counts: newest!.counts, remainder, isDelivered: true };
  for (const [start, { counts }] of signals.open) remember(state.memory, start, counts, true);
  const { sampleUserAgent, samplePaths } = newest!.counts.byClient[0]!;
  for (let subject = 0; subject < 600; subject += 1) {
    const found = { subject: `${subject}`, severity: 'warning', message: samplePaths[0]! } as const;
    const details = {
      network: samplePaths[0],
      sample_user_agent: sampleUserAgent,
      sample_paths: samplePaths,
    };
    mergeFinding(state.open, 'w', 'hacking_probe', { ...found, details }, START);
  }
  return website;
}

test.each(Object.entries(fillings))(
  'no state comes near what is read at a start, whoever sends what: texts %s',
  { timeout: 300_000 },
  (_, filling) => {
    const website = longest(filling);
    const text = encodeTracked(detectorCore, website);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_STATE_BYTES / 2);
    const again = decodeTracked(detectorCore, { websiteId: 'w', text, heldBefore: 0 });
    expect(again.signals.open.size).toBe(website.signals.open.size);
    const counted = [...again.signals.open.values()].map(({ counts }) => counts.requests);
    expect(new Set(counted)).toEqual(new Set([70]));
  },
);

test('an ordinary day of open intervals is saved with its lists', () => {
  const website = newTrackedWebsite(detectorCore, 'w');
  for (let minute = START - DAY_MS / 3; minute < START; minute += INTERVAL_MS)
    takeSignal(website.signals, {
      ...{ token: `requests.raw/0/${minute}/m`, websiteId: 'w', storedAt: START },
      minutes: [minuteOf({ minute, requests: 9, byBot: Array.from({ length: 15 }, () => botOf({})) })],
    });
  const text = encodeTracked(detectorCore, website);
  const again = decodeTracked(detectorCore, { websiteId: 'w', text, heldBefore: 0 });
  expect(again.signals).toEqual(website.signals);
});

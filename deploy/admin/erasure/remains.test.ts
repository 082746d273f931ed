import { expect, test } from 'vitest';
import { remainsOf } from './remains.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const onKafka = { log: {} as never, files: null as never, now: () => NOW };

test('if records can’t be rewritten, the order to forget an address keeps it for two days', () => {
  const subject = { kind: 'address', address: '192.0.2.1', websiteId: null } as const;
  expect(remainsOf(subject, onKafka).map(({ topic, until }) => [topic, until])).toEqual([
    ['requests.raw', '2026-11-28T10:00:00.000Z'],
    ['requests.dead', '2026-12-21T10:00:00.000Z'],
    ['alerts', '2026-12-21T10:00:00.000Z'],
    ['requests.stored', '2026-11-23T10:00:00.000Z'],
  ]);
});

test('no record to the detector contains a text of a website', () => {
  const remains = remainsOf({ kind: 'website', id: 'w' }, onKafka);
  expect(remains.map(({ topic }) => topic)).toEqual(['requests.raw', 'requests.dead', 'alerts']);
});

import { expect, test } from 'vitest';
import { createColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { textsAlike, textsOf } from '../../../../test/harness/enricher/byte-dictionary.js';
import { sinkInto } from '../../../../test/harness/ingest/row-sink.js';
import { acceptedTimes } from '../../records/accepted-times.js';
import { combined } from './combined.js';
import { createPlainCombinedReader } from './read-lines.js';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const times = acceptedTimes(NOW, 400);

const lineOf = (target: string, address = '203.0.113.7') =>
  `${address} - - [17/Nov/2026:12:00:02 +0000] "GET ${target} HTTP/1.1" 200 5316 "-" "curl/8"\n`;

/** Reads one chunk into a separate block. */
function read(chunk: Buffer, capacity: number, maxLineBytes = 64 * 1024) {
  const builder = createColumnBuilder(capacity);
  const reader = createPlainCombinedReader(combined.name, {
    times,
    sink: sinkInto(builder, capacity),
    onBrowsers() {},
  });
  reader.begin(chunk);
  return { end: reader.read(0, chunk.lastIndexOf(10) + 1, maxLineBytes), reader, ...builder.columns() };
}

test('a chunk of more lines than are read at once is read whole, each text kept once', () => {
  const targets = Array.from(
    { length: 3_000 },
    (_, line) => `/${'x'.repeat((line * 37) % 1_100)}${line % 900}`,
  );
  const chunk = Buffer.from(targets.map((target) => lineOf(target)).join(''));
  const { end, rows, reader, texts } = read(chunk, 4_000);
  expect({ end, rows, lines: reader.lines }).toEqual({ end: chunk.length, rows: 3_000, lines: 3_000 });
  const found = textsOf(texts.target.dictionary);
  expect(found).toEqual([...new Set(targets)]);
  expect([...texts.target.ids].map((id) => found[id])).toEqual(targets);
});

test.each([2, 3, 4, 5, 7, 8, 13])(
  'neighbours of %i bytes that differ in one byte are distinguished',
  (length) => {
    const text = `/${'x'.repeat(length - 1)}`;
    const changed = Array.from(
      { length: length - 1 },
      (_, at) => `${text.slice(0, at + 1)}y${text.slice(at + 2)}`,
    );
    const targets = [text, ...changed].flatMap((each) => [text, each]);
    const chunk = Buffer.from(targets.map((target) => lineOf(target)).join(''));
    const { end, texts } = read(chunk, 100);
    expect(end).toBe(chunk.length);
    const found = textsOf(texts.target.dictionary);
    expect([...texts.target.ids].map((id) => found[id])).toEqual(targets);
  },
);

test('the same text has one place in a block, whether it came as a string or in a line', () => {
  const builder = createColumnBuilder(10);
  const reader = createPlainCombinedReader(combined.name, {
    times,
    sink: sinkInto(builder, 10),
    onBrowsers() {},
  });
  const targets = ['/', '/abc', '/abcd', '/a-target-of-more-than-a-few-words'];
  for (const target of targets) {
    const parsed = combined
      .open({ headers: {}, query: new URLSearchParams() })
      .parse(lineOf(target).trimEnd());
    builder.add(parsed as never);
  }
  const chunk = Buffer.from(targets.map((target) => lineOf(target)).join(''));
  reader.begin(chunk);
  expect(reader.read(0, chunk.length, 1_000)).toBe(chunk.length);
  const { texts } = builder.columns();
  expect(textsOf(texts.target.dictionary)).toEqual(targets);
  expect([...texts.target.ids]).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  for (const name of ['client_ip', 'method', 'protocol', 'user_agent', 'host', 'referrer'] as const)
    expect(texts[name].dictionary.size, name).toBe(1);
});

test.each([
  [
    'that share a slot: more than are looked at',
    textsAlike(
      40,
      (hash) => hash & 255,
      (number) => `/${number}`,
    ),
  ],
  // Texts of one length; among some 80,000, two have the same 32 bits.
  [
    'whose hashes are the same',
    textsAlike(
      2,
      (hash) => hash,
      (number) => `/${1e7 + number}/x`,
    ),
  ],
])('texts %s keep their own', (_, targets) => {
  const chunk = Buffer.from([...targets, ...targets.toReversed()].map((target) => lineOf(target)).join(''));
  const { end, texts } = read(chunk, 100);
  expect(end).toBe(chunk.length);
  const found = textsOf(texts.target.dictionary);
  expect([...texts.target.ids].map((id) => found[id])).toEqual([...targets, ...targets.toReversed()]);
  expect(found).toEqual(targets);
});

test('lines of zones that differ in their last digit have different times', () => {
  const zones = ['+0100', '+0101', '+0100', '-0100', '+0000', '+1000'];
  const chunk = Buffer.from(zones.map((zone) => lineOf('/').replace('+0000', zone)).join(''));
  const at = (zone: string) => Date.parse(`2026-11-17T12:00:02${zone.slice(0, 3)}:${zone.slice(3)}`);
  const { end, timestamp } = read(chunk, 10);
  expect({ end, times: [...timestamp] }).toEqual({ end: chunk.length, times: zones.map(at) });
});

test('bytes that changed in the same buffer are read again', () => {
  const builder = createColumnBuilder(10);
  const reader = createPlainCombinedReader(combined.name, {
    times,
    sink: sinkInto(builder, 10),
    onBrowsers() {},
  });
  const chunk = Buffer.from(lineOf('/a'));
  for (const letter of 'ab') {
    chunk.write(letter, chunk.indexOf('GET /') + 5);
    reader.begin(chunk);
    reader.read(0, chunk.length, 1_000);
  }
  expect(textsOf(builder.columns().texts.target.dictionary)).toEqual(['/a', '/b']);
});

test('readers of several uploads do not mix their lines', () => {
  const opened = ['17', '18', '19'].map((day) => {
    const builder = createColumnBuilder(100);
    const reader = createPlainCombinedReader(combined.name, {
      times,
      sink: sinkInto(builder, 100),
      onBrowsers() {},
    });
    const chunk = Buffer.from(lineOf(`/${day}`).replace('17/Nov', `${day}/Nov`).repeat(20));
    reader.begin(chunk);
    return { day, builder, reader, chunk };
  });
  const bytes = lineOf('/17').length;
  for (let line = 0; line < 20; line += 1)
    for (const { reader } of opened)
      expect(reader.read(line * bytes, (line + 1) * bytes, 1_000)).toBe((line + 1) * bytes);
  for (const { day, builder } of opened) {
    const { timestamp, texts } = builder.columns();
    expect(textsOf(texts.target.dictionary)).toEqual([`/${day}`]);
    expect(new Set(timestamp)).toEqual(new Set([Date.parse(`2026-11-${day}T12:00:02Z`)]));
  }
});

test('a wrong address ends the read at its line, in every position', () => {
  for (const wrong of [0, 1, 7, 40, 99]) {
    const lines = Array.from({ length: 100 }, (_, line) =>
      lineOf('/', line === wrong ? '2001:db8::g' : `2001:db8::${line % 9}`),
    );
    const { end, rows } = read(Buffer.from(lines.join('')), 100);
    expect({ end, rows }).toEqual({ end: lines.slice(0, wrong).join('').length, rows: wrong });
  }
});

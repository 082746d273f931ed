import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { textsAlike, textsOf } from '../../../../test/harness/enricher/byte-dictionary.js';
import { sinkInto } from '../../../../test/harness/ingest/row-sink.js';
import { acceptedTimes } from '../../records/accepted-times.js';
import { combined } from '../combined.js';
import { foundLines, releaseChunk, scanLines, setDay } from './line-scanner.js';
import { createPlainCombinedReader } from './read-lines.js';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const times = acceptedTimes(NOW, 400);
const MIDNIGHT = Date.parse('2026-11-17T00:00:00Z');
const DAY = Buffer.from('17/Nov/2026+0000');

const lineOf = (target: string, address = '203.0.113.7') =>
  `${address} - - [17/Nov/2026:12:00:02 +0000] "GET ${target} HTTP/1.1" 200 5316 "-" "curl/8"\n`;

test('the scanner is what its source compiles to', () => {
  const folder = 'services/ingest/sources/plain-combined';
  const into = mkdtempSync(join(tmpdir(), 'scanner-'));
  try {
    const outFile = join(into, 'scan-lines.wasm');
    const arguments_ = ['--config', `${folder}/assembly/asconfig.json`, '--outFile', outFile];
    execFileSync(process.execPath, ['node_modules/assemblyscript/bin/asc.js', ...arguments_]);
    // `npm run scanner` writes it.
    expect(readFileSync(outFile).equals(readFileSync(`${folder}/scan-lines.wasm`))).toBe(true);
  } finally {
    rmSync(into, { recursive: true });
  }
});

/** Reads one chunk into a block of its own. */
function read(chunk: Buffer, capacity: number, maxLineBytes = 64 * 1024) {
  const builder = createColumnBuilder(capacity);
  const reader = createPlainCombinedReader(combined.name, times, sinkInto(builder, capacity));
  reader.begin(chunk);
  return { end: reader.read(0, chunk.lastIndexOf(10) + 1, maxLineBytes), reader, ...builder.columns() };
}

test('a chunk of more bytes and lines than a scan takes is read whole, each text kept once', () => {
  const targets = Array.from(
    { length: 3_000 },
    (_, line) => `/${'x'.repeat((line * 37) % 1_100)}${line % 900}`,
  );
  const chunk = Buffer.from(targets.map((target) => lineOf(target)).join(''));
  expect(chunk.length).toBeGreaterThan(1024 * 1024);
  const { end, rows, reader, texts } = read(chunk, 4_000);
  expect({ end, rows, lines: reader.lines }).toEqual({ end: chunk.length, rows: 3_000, lines: 3_000 });
  const found = textsOf(texts.target.dictionary);
  expect(found).toEqual([...new Set(targets)]);
  expect([...texts.target.ids].map((id) => found[id])).toEqual(targets);
});

test('a line that is longer than the window is left, and so is what stands behind it', () => {
  const long = lineOf(`/${'x'.repeat(200_000)}`);
  const chunk = Buffer.from(`${lineOf('/a')}${long}${lineOf('/b')}`);
  expect(read(chunk, 10, 1024 * 1024)).toMatchObject({ end: lineOf('/a').length, rows: 1 });
});

test('the same text has one place in a block, whether it came as a string or in a line', () => {
  const builder = createColumnBuilder(10);
  const reader = createPlainCombinedReader(combined.name, times, sinkInto(builder, 10));
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
      (hash) => hash & 4_095,
      (number) => `/${number}`,
    ),
  ],
  // Of one length, and of some 80,000 two have the same 32 bits.
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

test('lines of zones that differ in their last digit have times of their own', () => {
  const zones = ['+0100', '+0101', '+0100', '-0100', '+0000', '+1000'];
  const chunk = Buffer.from(zones.map((zone) => lineOf('/').replace('+0000', zone)).join(''));
  const at = (zone: string) => Date.parse(`2026-11-17T12:00:02${zone.slice(0, 3)}:${zone.slice(3)}`);
  const { end, timestamp } = read(chunk, 10);
  expect({ end, times: [...timestamp] }).toEqual({ end: chunk.length, times: zones.map(at) });
});

test('a chunk without a line that could be scanned is left, whatever the scan before it ended at', () => {
  const builder = createColumnBuilder(10);
  const sink = sinkInto(builder, 10);
  let asked = 0;
  const reader = createPlainCombinedReader(combined.name, times, {
    ...sink,
    room(source) {
      asked += 1;
      if (asked > 10) throw new Error('the reader comes to no end');
      return sink.room(source);
    },
  });
  // The scan finds the line of a wrong address, and ends at the other day.
  const before = Buffer.from(lineOf('/', '2001:db8::g') + lineOf('/').replace('17/Nov', '18/Nov'));
  reader.begin(Buffer.from(lineOf('/')));
  reader.read(0, lineOf('/').length, 1_000);
  reader.begin(before);
  expect(reader.read(0, before.length, 1_000)).toBe(0);
  const long = Buffer.from(`${'x'.repeat(140_000)}\n${lineOf('/')}`);
  reader.begin(long);
  expect(reader.read(0, long.length, 1_000_000)).toBe(0);
  expect(builder.rows).toBe(1);
});

test('bytes that changed in the same buffer are read anew', () => {
  const builder = createColumnBuilder(10);
  const reader = createPlainCombinedReader(combined.name, times, sinkInto(builder, 10));
  const chunk = Buffer.from(lineOf('/a'));
  for (const letter of 'ab') {
    chunk.write(letter, chunk.indexOf('GET /') + 5);
    reader.begin(chunk);
    reader.read(0, chunk.length, 1_000);
  }
  expect(textsOf(builder.columns().texts.target.dictionary)).toEqual(['/a', '/b']);
});

test('readers of several uploads take turns with the one scanner', () => {
  const opened = ['17', '18', '19'].map((day) => {
    const builder = createColumnBuilder(100);
    const reader = createPlainCombinedReader(combined.name, times, sinkInto(builder, 100));
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

test('a wrong address ends what is taken at its line, wherever it stands', () => {
  for (const wrong of [0, 1, 7, 40, 99]) {
    const lines = Array.from({ length: 100 }, (_, line) =>
      lineOf('/', line === wrong ? '2001:db8::g' : `2001:db8::${line % 9}`),
    );
    const { end, rows } = read(Buffer.from(lines.join('')), 100);
    expect({ end, rows }).toEqual({ end: lines.slice(0, wrong).join('').length, rows: wrong });
  }
});

test('a scan does not find texts of the scan that had the same number', () => {
  const limits = { lines: 2, text: 1_000, maxLineBytes: 1_000, midnight: MIDNIGHT, times };
  function scan(...targets: string[]): number[] {
    const chunk = Buffer.from(targets.map((target) => lineOf(target)).join(''));
    releaseChunk();
    setDay(DAY);
    return [...foundLines.texts.target.ids.subarray(0, scanLines(chunk, 0, chunk.length, limits))];
  }
  expect(scan('/a', '/b')).toEqual([0, 1]);
  const between = Buffer.from(lineOf('/z'));
  // Numbers come again after some four million scans.
  for (let more = 2; more < 2 ** 22; more += 1) scanLines(between, 0, between.length, limits);
  expect(scan('/b', '/b')).toEqual([0, 0]);
});

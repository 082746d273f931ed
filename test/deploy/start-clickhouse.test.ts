import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTokenFaults, mendTokenLogs } from '../../deploy/embedded/engine/orphan-tokens.js';

/** Before a ClickHouse server starts, its container repairs the logs like the embedded engine. */

const SCRIPT = fileURLToPath(
  new URL('../../deploy/kubernetes/overlays/small/start-clickhouse.sh', import.meta.url),
);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loglane-start-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const start = (data: string) =>
  execFileSync('sh', [SCRIPT, data, 'echo', 'started', 'with two'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

interface Table {
  readonly parts?: readonly string[];
  /** Files of the log, from number 9 on. */
  readonly logs: readonly (readonly string[])[];
  /** After the last line. */
  readonly cut?: string;
}

function makeTable(data: string, { parts = [], logs, cut = '' }: Table): string[] {
  const table = join(data, 'store', '3f2', '3f2c');
  mkdirSync(join(table, 'deduplication_logs'), { recursive: true });
  for (const part of parts) mkdirSync(join(table, part));
  return logs.map((lines, index) => {
    const path = join(table, 'deduplication_logs', `deduplication_log_${9 + index}.txt`);
    const text = lines.map((line) => `${line.replaceAll(' ', '\t')}\n`).join('');
    writeFileSync(path, index === logs.length - 1 ? text + cut : text);
    return path;
  });
}

const many = Array.from({ length: 300 }, (_, index) => `1 all_${index}_${index}_0 token-${index}`);

test.each<[string, Table, number]>([
  [
    'every part is there',
    { parts: ['all_1_2_1', 'all_3_3_0_9'], logs: [['1 all_1_1_0 a', '1 all_2_2_0 b', '1 all_3_3_0 c']] },
    0,
  ],
  ['a part was dropped', { logs: [['1 all_1_1_0 a', '2 all_1_1_0 a']] }, 0],
  [
    'the newest part has its temporary name',
    { parts: ['202610_1_1_0', 'tmp_insert_202610_2_2_0'], logs: [['1 202610_1_1_0 a', '1 202610_2_2_0 b']] },
    1,
  ],
  ['a part of that number is of another month', { parts: ['202609_1_1_0'], logs: [['1 202610_1_1_0 a']] }, 1],
  ['the newest file is empty', { logs: [['1 all_1_1_0 a'], []] }, 1],
  ['the tenth file is the newest', { parts: ['all_2_2_0'], logs: [['1 all_1_1_0 a'], ['1 all_2_2_0 b']] }, 1],
  [
    'a token was repeated after an orphan',
    { parts: ['all_2_2_0'], logs: [['1 all_1_1_0 a', '2 all_1_1_0 a', '1 all_2_2_0 a']] },
    0,
  ],
  ['the last line was cut off', { parts: ['all_1_1_0'], logs: [['1 all_1_1_0 a']], cut: '1\tall_2_' }, 0],
  ['the only line was cut off', { logs: [[]], cut: '1\tall_2_' }, 0],
  ['older tokens may have left the window', { logs: [many] }, 100],
])('where %s, a server starts with the log that the embedded engine would make', (_, table, orphans) => {
  const ours = join(directory, 'ours');
  const theirs = join(directory, 'theirs');
  const logs = makeTable(theirs, table);
  cpSync(theirs, ours, { recursive: true });
  const faults = findTokenFaults(ours);
  expect(faults.flatMap((fault) => fault.orphans)).toHaveLength(orphans);
  mendTokenLogs(faults);
  expect(start(theirs)).toBe('started with two\n');
  for (const log of logs)
    expect(readFileSync(log, 'utf8')).toBe(readFileSync(log.replace(theirs, ours), 'utf8'));
  expect(findTokenFaults(theirs)).toEqual([]);
});

test('a server starts the first time, on an empty directory', () => {
  expect(start(directory)).toBe('started with two\n');
});

import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { formatters } from '../../../deploy/demo/traffic/formats.js';
import { countRequests } from '../../../shared/requests/columns/raw-block-codec.js';
import { benchRequests } from '../lines.js';
import { formatOf } from '../options.js';
import { packLines } from '../uploads.js';
import { rangesOf, takeBodies } from './offline.js';

const LINES = 5_000;

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

async function blocksOf(source: 'combined' | 'cloudflare' | 'loglane', encoding: 'gzip' | 'identity') {
  const day = 86_400_000;
  const end = Math.floor(Date.now() / day) * day;
  const requests = benchRequests({ count: LINES, seed: 'offline', days: 1, end, domain: 'shop.example' });
  const lines = [...requests].map(formatters[formatOf(source)]);
  const bodies = (await packLines(lines, 2_000)).map(({ body }) =>
    encoding === 'gzip' ? body : gunzipSync(body),
  );
  const blocks: Buffer[] = [];
  await takeBodies(bodies, { encoding, source }, (value) => blocks.push(value));
  return blocks;
}

it.each(['combined', 'cloudflare', 'loglane'] as const)(
  'accepts every line of %s, plain and compressed',
  async (source) => {
    for (const encoding of ['gzip', 'identity'] as const)
      expect(sum((await blocksOf(source, encoding)).map(countRequests))).toBe(LINES);
  },
);

it('reports rejected lines', async () => {
  const bodies = [Buffer.from('no request\n')];
  await expect(takeBodies(bodies, { encoding: 'identity', source: 'combined' }, () => {})).rejects.toThrow(
    '1 lines of combined were rejected',
  );
});

it('closes a range with the block that reaches its rows, and omits no block', async () => {
  const blocks = await blocksOf('combined', 'gzip');
  const ranges = rangesOf(blocks, 2_500);
  expect(ranges.flat().map(({ value }) => value)).toEqual(blocks);
  const rows = ranges.map((records) => sum(records.map(({ value }) => countRequests(value))));
  expect(ranges.length).toBeGreaterThan(1);
  for (const some of rows.slice(0, -1)) expect(some).toBeGreaterThanOrEqual(2_500);
  for (const [index, records] of ranges.slice(0, -1).entries())
    expect(rows[index]! - countRequests(records.at(-1)!.value)).toBeLessThan(2_500);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import type { RawRequest } from '../raw-request.js';
import { readColumnBlock, writeColumnBlock } from './column-block-codec.js';
import { createColumnBuilder } from './column-builder.js';
import { requestAt } from './request-columns.js';

const word = fc.oneof(
  fc.constantFrom('', 'GET', '__proto__', 'constructor', 'é', '\u{1F600}'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const request: fc.Arbitrary<RawRequest> = fc.record({
  timestamp: fc.integer({ min: 0, max: 2 ** 42 }),
  client_ip: word,
  method: word,
  host: word,
  target: word,
  protocol: word,
  status: fc.integer({ min: 0, max: 999 }),
  bytes_sent: fc.oneof(
    fc.nat(10_000),
    fc.integer({ min: 0, max: 2 ** 50 }),
    fc.constantFrom(2 ** 16 - 1, 2 ** 16, 2 ** 32 - 1, 2 ** 32),
  ),
  time_taken_ms: fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  user_agent: word,
  referrer: word,
  request_id: word,
  content_type: word,
  cache_status: word,
  source_country: word,
  source_asn: fc.option(fc.integer({ min: 0, max: 2 ** 32 - 2 })),
  cdn_bot_category: word,
});
const head = { website_id: 'w1', source: 'combined', upload_id: 'u1', received_at: 1_771_056_930_000 };

function write(requests: readonly RawRequest[]): Buffer {
  const builder = createColumnBuilder(requests.length);
  for (const each of requests) builder.add(each);
  const scratch = Buffer.alloc(2 ** 20);
  return scratch.subarray(0, writeColumnBlock(head, builder.columns(), scratch, 0));
}

/** As UTF-8: an unpaired surrogate is replaced. */
const written = (text: string) => Buffer.from(text).toString();

describe('a column block', () => {
  it('round-trips each request', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 300 }), (requests) => {
        const { columns, ...others } = readColumnBlock(write(requests), requests.length);
        expect(others).toEqual(head);
        const back = requests.map((_, row) => requestAt(columns, row));
        expect(back).toEqual(
          requests.map((each) =>
            Object.fromEntries(
              Object.entries(each).map(([name, value]) => [
                name,
                typeof value === 'string' ? written(value) : value,
              ]),
            ),
          ),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('of damaged bytes is refused or has the announced number of requests, each with its texts', () => {
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: -1, max: 1 }),
        (requests, damages, more) => {
          const bytes = Buffer.from(write(requests));
          for (const [at, value] of damages) bytes[at % bytes.length] = value;
          const rows = requests.length + more;
          let columns: ReturnType<typeof readColumnBlock>['columns'];
          try {
            ({ columns } = readColumnBlock(bytes, rows));
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
            return;
          }
          for (let row = 0; row < rows; row += 1)
            for (const value of Object.values(requestAt(columns, row))) expect(value).toBeDefined();
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

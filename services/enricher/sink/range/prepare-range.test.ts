import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { Plan } from '../../../../shared/requests/range-plan.js';
import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { enrichEach } from '../../../../test/harness/enrich-each.js';
import { storedRequest } from '../../../../test/harness/stored-requests.js';
import { uncheckedBlock } from '../../../../test/harness/unchecked-block.js';
import { plainRequest } from '../plain-request.js';
import { giveBodyMemoryBack } from './body-memory.js';
import { createRowsEncoder, type RowsEncoder } from './encode-rows.js';
import { leaveOut, prepareRange } from './prepare-range.js';

const request = (target: string, client_ip = '192.0.2.1') => plainRequest({ target, client_ip });

const record = (offset: number, value: Buffer): LogRecord => ({
  partition: 3,
  offset,
  key: 'w',
  appendedAt: 0,
  value,
});
const block = (offset: number, ...requests: RawRequest[]) =>
  record(
    offset,
    uncheckedBlock({
      website_id: 'w',
      source: 'loglane',
      upload_id: `u${offset}`,
      received_at: offset,
      requests,
    }),
  );

function announcing(requests: number, { offset, value }: LogRecord): LogRecord {
  value.writeUInt32BE(requests, 1);
  return record(offset, value);
}

const enrichRequest = ({ target }: RawRequest) => {
  if (target === '/throws') throw new Error('no such page');
  return storedRequest({ website_id: 'w', timestamp: 0, path: target });
};
const enrich = enrichEach((_block, one) => enrichRequest(one));
const deps = { enrich, retentionDays: () => 30, now: () => 7 };
const prepare = (records: LogRecord[], plan: Plan | null = null) => prepareRange(records, plan, deps);
const offsets = (dead: readonly { record: LogRecord }[]) => dead.map(({ record: { offset } }) => offset);

describe('a range', () => {
  test('contains all rows of its records', async () => {
    const range = await prepare([block(5, request('/a'), request('/b')), block(6, request('/c'))]);
    expect(range).toMatchObject({ rows: 3, receivedAt: 5, dead: [] });
    expect(range.plan).toMatchObject({ first: 5, last: 6, plannedAt: 7 });
    expect(range.body.toString('latin1')).toMatch(/\/a.*\/b.*\/c/s);
  });

  test('is not overwritten by the next range, which reuses its memory after it is stored', async () => {
    const long = (name: string) =>
      block(1, ...Array.from({ length: 1_000 }, (_, at) => request(`/${name}${at}${'x'.repeat(5_000)}`)));
    const first = await prepare([long('a')]);
    const copy = Buffer.from(first.body);
    const second = await prepare([long('b')]);
    expect(first.body.equals(copy)).toBe(true);
    expect(second.body.equals(copy)).toBe(false);
    giveBodyMemoryBack(first.body);
    expect((await prepare([long('c')])).body.buffer).toBe(first.body.buffer);
  });

  test.each([
    ['whose enrichment fails', block(6, request('/lost'), request('/throws'))],
    ['with an address that is none', block(6, request('/lost'), request('/x', 'unknown'))],
    ['that is cut off', record(6, block(6, request('/lost'), request('/x')).value.subarray(0, 60))],
    ['of a newer version', record(6, Buffer.from('\x63\x00\x00\x00\x01/lost'))],
    ['that announces more than it can hold', announcing(2 ** 32 - 1, block(6, request('/lost')))],
    ['that announces more than any block holds', block(6, ...Array(50_001).fill(request('/lost')))],
    ['that is empty', record(6, Buffer.of())],
    ['with a negative size', block(6, request('/lost'), plainRequest({ bytes_sent: -1 }))],
    ['with half a byte', block(6, request('/lost'), plainRequest({ bytes_sent: 2 ** 33 + 0.5 }))],
    [
      'of the year 2107, which would come back as 1971',
      block(6, request('/lost'), plainRequest({ timestamp: Date.UTC(2107, 0, 1) })),
    ],
    ['of the year 1969', block(6, request('/lost'), plainRequest({ timestamp: -1 }))],
  ])('leaves out a whole record %s, and keeps its neighbours', async (_name, poison) => {
    const range = await prepare([block(5, request('/a')), poison, block(7, request('/c'))]);
    expect(range).toMatchObject({ rows: 2 });
    expect(range.plan).toMatchObject({ first: 5, last: 7 });
    expect(offsets(range.dead)).toEqual([6]);
    expect(range.body.toString('latin1')).toMatch(/\/a.*\/c/s);
    expect(range.body.includes('/lost')).toBe(false);
  });

  test('leaves out a record that fails only in the final encoding', async () => {
    const createEncoder = (capacity: number): RowsEncoder => {
      const encoder = createRowsEncoder(capacity);
      let poisoned = false;
      return {
        get rows() {
          return encoder.rows;
        },
        add(place, ...rest) {
          poisoned ||= place.offset === 6 || place.offset === 8;
          encoder.add(place, ...rest);
        },
        truncate: encoder.truncate,
        encode() {
          if (poisoned) throw new Error('not to be encoded');
          return encoder.encode();
        },
      };
    };
    const records = [5, 6, 7, 8, 9].map((offset) => block(offset, request(`/${offset}`)));
    const range = await prepareRange(records, null, { ...deps, createEncoder });
    expect(offsets(range.dead)).toEqual([6, 8]);
    expect(range.rows).toBe(3);
  });

  test('has a token that depends only on the bytes in the log, not on decoding or enrichment', async () => {
    const records = [block(5, request('/a')), block(6, request('/b'))];
    const { token } = await prepare(records);
    expect(token).toMatch(/^requests\.raw\/3\/5-6\/[0-9a-f]{32}$/);
    const none = await prepareRange(records, null, {
      ...deps,
      enrich() {
        throw new Error('no rules');
      },
    });
    expect(none).toMatchObject({ token, rows: 0 });
    expect((await prepare([block(5, request('/other')), records[1]!])).token).not.toBe(token);
  });
});

describe('a planned range', () => {
  const records = [block(5, request('/a')), block(6, request('/b')), block(7, request('/c'))];

  test('keeps its token even if retention has dropped its first records', async () => {
    const { plan, token } = await prepare(records);
    const rest = await prepare(records.slice(1), plan);
    expect(rest).toMatchObject({ token, rows: 2, plan });
  });

  test('leaves out the records that its plan leaves out, under the same token', async () => {
    const whole = await prepare(records);
    const less = await leaveOut(whole, [6], deps);
    expect(less).toMatchObject({ token: whole.token, rows: 2 });
    expect(less.body.includes('/b')).toBe(false);
    const least = await leaveOut(less, [7], deps);
    expect(least).toMatchObject({ token: whole.token, rows: 1 });
    expect(least.plan.leftOut).toEqual(new Set([6, 7]));
  });
});

describe('of a website that accepts bot traffic only', () => {
  const classOf = new Map([
    ['/bot', 'other_bot'],
    ['/fake', 'spoofed_bot'],
    ['/agent', 'undeclared_agent'],
  ] as const);
  const judge = ({ target }: RawRequest) =>
    storedRequest({
      ...{ website_id: 'w', timestamp: 0, path: target },
      traffic_class: (classOf as ReadonlyMap<string, 'other_bot'>).get(target) ?? 'human',
    });
  const judged = enrichEach((_block, one) => judge(one));
  const botsOnly = { addressDays: null, botsOnly: true };
  const botsAlone = { ...deps, enrich: judged, privacyOf: () => botsOnly };
  const mixed = block(
    5,
    ...['/lost', '/bot', '/lost', '/fake', '/agent', '/lost'].map((target) =>
      plainRequest({ target, timestamp: target === '/lost' ? 1 : 300_001 }),
    ),
  );

  test('requests of people are neither stored nor reported to the detector, and they are counted', async () => {
    const range = await prepareRange([mixed], null, botsAlone);
    expect(range).toMatchObject({ rows: 3, dropped: 3, dead: [] });
    expect(range.body.includes('/lost')).toBe(false);
    expect(range.body.toString('latin1')).toMatch(/\/bot.*\/fake.*\/agent/s);
    expect(range.arrivals).toMatchObject([{ websiteId: 'w', receivedAt: 5, intervals: [300_000] }]);
  });

  test('stored rows have their index in the block, and the range has the same token as with people', async () => {
    const places: number[] = [];
    const createEncoder = (capacity: number): RowsEncoder => {
      const encoder = createRowsEncoder(capacity);
      return {
        ...encoder,
        get rows() {
          return encoder.rows;
        },
        add(place, enriched, rows) {
          places.push(...rows);
          encoder.add(place, enriched, rows);
        },
      };
    };
    const { token } = await prepareRange([mixed], null, { ...botsAlone, createEncoder });
    expect(places).toEqual([1, 3, 4]);
    expect((await prepareRange([mixed], null, { ...botsAlone, privacyOf: undefined as never })).token).toBe(
      token,
    );
  });

  test('a range of people only is done without rows, dead letters or arrivals', async () => {
    const range = await prepareRange([block(5, request('/lost'), request('/lost'))], null, botsAlone);
    expect(range).toMatchObject({
      rows: 0,
      dropped: 2,
      dead: [],
      arrivals: [],
      receivedAt: Number.POSITIVE_INFINITY,
    });
    expect(range.changes).toEqual([]);
  });

  test('a record that fails is dead as a whole, even if its people are not stored', async () => {
    const range = await prepareRange([block(5, request('/bot'), request('/throws'))], null, {
      ...botsAlone,
      enrich: enrichEach((_block, one) => {
        enrichRequest(one);
        return judge(one);
      }),
    });
    expect(range).toMatchObject({ rows: 0, dropped: 0 });
    expect(offsets(range.dead)).toEqual([5]);
  });
});

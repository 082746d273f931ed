import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/raw-block-codec.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import { rawRequest } from '../../../test/harness/raw-request.js';
import { storedRequest } from '../../../test/harness/stored-requests.js';
import { prepareRange } from './prepare-range.js';

const request = (target: string, client_ip = '192.0.2.1') => rawRequest({ target, client_ip });

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
    encodeRawBlock({
      website_id: 'w',
      source: 'loglane',
      upload_id: `u${offset}`,
      received_at: offset,
      requests,
    }),
  );

const prepare = (records: LogRecord[]) =>
  prepareRange(records, {
    enrich: (_block: RawBlock, { target }: RawRequest) => {
      if (target === '/throws') throw new Error('no such page');
      return storedRequest({ website_id: 'w', timestamp: 0, path: target });
    },
    retentionDays: () => 30,
  });

describe('a range', () => {
  test('holds all rows of its records, and the token of its place', async () => {
    const range = await prepare([block(5, request('/a'), request('/b')), block(6, request('/c'))]);
    expect(range).toMatchObject({ first: 5, last: 6, rows: 3, requests: 3, receivedAt: 5, dead: [] });
    expect(range.token).toBe('requests.raw/3/5-6/u5');
    expect(range.body.toString('latin1')).toMatch(/\/a.*\/b.*\/c/s);
  });

  test.each([
    ['whose enrichment fails', block(6, request('/lost'), request('/throws'))],
    ['with an address that is none', block(6, request('/lost'), request('/x', 'unknown'))],
    ['that is cut off', record(6, block(6, request('/lost'), request('/x')).value.subarray(0, 60))],
    ['of a newer version', record(6, Buffer.from('\x63\x00\x00\x00\x01/lost'))],
    ['that announces more than it can hold', record(6, Buffer.from('\x01\xff\xff\xff\xff/lost'))],
    ['that is empty', record(6, Buffer.of())],
  ])('leaves out a whole record %s, and keeps its neighbours', async (_name, poison) => {
    const range = await prepare([block(5, request('/a')), poison, block(7, request('/c'))]);
    expect(range).toMatchObject({ first: 5, last: 7, rows: 2 });
    expect(range.dead.map(({ record: { offset } }) => offset)).toEqual([6]);
    expect(range.body.toString('latin1')).toMatch(/\/a.*\/c/s);
    expect(range.body.includes('/lost')).toBe(false);
  });
});

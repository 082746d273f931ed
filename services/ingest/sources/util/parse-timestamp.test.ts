import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isFinerThanSeconds,
  parseCommonLogTime,
  parseTimestamp,
  parseWrittenTime,
  wholeMilliseconds,
} from './parse-timestamp.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const milliseconds = fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2099, 11, 31) });
const offsetMinutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
const read = (value: unknown) => wholeMilliseconds(parseTimestamp(value));

function zone(minutes: number, colon: string): string {
  const size = Math.abs(minutes);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${colon}${pad(size % 60)}`;
}

describe('a timestamp', () => {
  it.each(['+0060', '+1401', '-1500', '+9999', '-9959'])(
    'is none with the offset %s, which no zone has',
    (offset) => {
      expect(parseCommonLogTime(`17/Nov/2026:12:00:02 ${offset}`, 0)).toBeNaN();
      expect(read(`2026-11-17T12:00:02${offset}`)).toBeNaN();
      expect(read(`2026-11-17T12:00:02${offset.slice(0, 3)}:${offset.slice(3)}`)).toBeNaN();
    },
  );

  it('is the same instant in every form, unit and offset', () => {
    fc.assert(
      fc.property(milliseconds, offsetMinutes, (ms, offset) => {
        const second = Math.floor(ms / 1_000) * 1_000;
        const iso = new Date(ms).toISOString();
        const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
        expect(read(iso)).toBe(ms);
        expect(read(iso.replace('T', ' ').slice(0, -1))).toBe(ms);
        expect(read(local + zone(offset, ':'))).toBe(ms);
        expect(read(local + zone(offset, ''))).toBe(ms);
        expect(read(`${iso.slice(0, -1)}999999Z`)).toBe(ms);
        expect(read(`${iso.slice(0, 19)}Z`)).toBe(second);
        const minute = Math.floor(ms / 60_000) * 60_000;
        expect(read(iso.slice(0, 16))).toBe(minute);
        expect(read(`${iso.slice(0, 16)}Z`)).toBe(minute);
        expect(read(local.slice(0, 16) + zone(offset, ':'))).toBe(minute);
        expect(read(second / 1_000)).toBe(second);
        expect(read(String(second / 1_000))).toBe(second);
        expect(read(ms / 1_000)).toBe(ms);
        expect(read((ms / 1_000).toFixed(3))).toBe(ms);
        expect(read(ms)).toBe(ms);
        expect(read(ms * 1_000 + 999)).toBe(ms);
        expect(read(`${ms}000`)).toBe(ms);
        expect(read(JSON.parse(`${ms}000000`))).toBe(ms);
        expect(read(`${ms}999000`)).toBe(ms);
      }),
    );
  });

  it('is NaN for other text', () => {
    for (const value of [
      '',
      'yesterday',
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-02-14T24:00:00Z',
      '2026-02-14T08:60:00Z',
      '2026-02-14',
      '2026-02-14T08',
      '2026-02-14T08:',
      '2026-02-14T08:15:',
      '2026-02-14T08:15.5',
      '2026-02-14T08:60',
      '2026-02-14T24:00Z',
      '2026-02-14T08:1530',
      '2026-02-14T08:15:30+2',
      '2026-02-14T08:15:30Zulu',
      '-1',
      -1,
      null,
      undefined,
      {},
      true,
      Number.NaN,
    ]) {
      expect([value, read(value)]).toEqual([value, Number.NaN]);
    }
  });

  it('knows whether it can measure a duration', () => {
    for (const value of ['2026-02-14T08:15:30.1Z', 1771056930125, '1771056930125000000', 1771056930.5]) {
      expect(isFinerThanSeconds(value)).toBe(true);
    }
    for (const value of ['2026-02-14T08:15:30Z', 1771056930, '1771056930', undefined]) {
      expect(isFinerThanSeconds(value)).toBe(false);
    }
  });
});

describe('the common log time', () => {
  it('is read with its offset, at any place in the line', () => {
    fc.assert(
      fc.property(milliseconds, offsetMinutes, fc.string(), (ms, offset, before) => {
        const second = Math.floor(ms / 1_000) * 1_000;
        const local = new Date(second + offset * 60_000);
        const iso = local.toISOString();
        const date = `${iso.slice(8, 10)}/${months[local.getUTCMonth()]}/${iso.slice(0, 4)}`;
        const text = `${before}${date}:${iso.slice(11, 19)} ${zone(offset, '')}] rest`;
        expect(parseCommonLogTime(text, before.length)).toBe(second);
      }),
    );
  });

  it('is NaN for other text', () => {
    for (const text of [
      '31/Apr/2026:08:15:30 +0000',
      '14/Foo/2026:08:15:30 +0000',
      '14/Feb/2026:08:15:30',
      '14/Feb/2026:08:15:30 0000',
      '14-Feb-2026:08:15:30 +0000',
      '',
    ]) {
      expect([text, parseCommonLogTime(text, 0)]).toEqual([text, Number.NaN]);
    }
  });
});

describe('a time as servers and people write it', () => {
  it('is the same instant in every form', () => {
    fc.assert(
      fc.property(milliseconds, offsetMinutes, (ms, offset) => {
        const second = Math.floor(ms / 1_000) * 1_000;
        const iso = new Date(ms).toISOString();
        const local = new Date(ms + offset * 60_000);
        const common = (date: Date) => {
          const text = date.toISOString();
          return `${text.slice(8, 10)}/${months[date.getUTCMonth()]}/${text.slice(0, 4)}:${text.slice(11, 19)}`;
        };
        const fraction = iso.slice(19, 23);
        expect(parseWrittenTime(`${common(local)} ${zone(offset, '')}`)).toBe(second);
        expect(parseWrittenTime(`[${common(local)} ${zone(offset, '')}]`)).toBe(second);
        expect(parseWrittenTime(`${common(local)}${fraction} ${zone(offset, '')}`)).toBe(ms);
        expect(parseWrittenTime(`${common(new Date(ms))}${fraction}`)).toBe(ms);
        expect(parseWrittenTime(common(new Date(ms)))).toBe(second);
        expect(parseWrittenTime(iso.slice(0, 23).replaceAll('-', '/').replace('T', ' '))).toBe(ms);
        expect(parseWrittenTime(iso.slice(0, 23).replace('T', ' ').replace('.', ','))).toBe(ms);
        expect(parseWrittenTime(iso)).toBe(ms);
        expect(wholeMilliseconds(parseWrittenTime((ms / 1_000).toFixed(3)))).toBe(ms);
        expect(parseWrittenTime(ms)).toBe(ms);
      }),
    );
  });

  it('is NaN for other text', () => {
    for (const text of [
      '14/Feb/2026:08:15:30 CET',
      '14/Feb/2026:08:15:30. +0000',
      '14/Feb/2026:08:15:30 +0000 ',
      '[14/Feb/2026:08:15:30 +0000',
      '14/02/2026 08:15:30',
      '2026/02/30 08:15:30',
      '[]',
      '',
      null,
      {},
    ]) {
      expect([text, parseWrittenTime(text)]).toEqual([text, Number.NaN]);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSignal, minute } from '../../test/harness/detector/signal.js';
import { decodeSignalRecord, forgetRecord, passedOnRecord, signalRecord } from './signal-codec.js';

describe('a signal on the wire', () => {
  it('comes back as it was, under the website’s key', () => {
    const signal = fc.record({
      token: fc.string(),
      websiteId: fc.uuid(),
      storedAt: fc.nat(2 ** 42),
      minutes: fc.array(minute, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(signal, (given) => {
        const { key, value } = signalRecord(given);
        expect(key).toBe(given.websiteId);
        // Plain objects: the arbitrary's own have no prototype.
        expect(decodeSignal(value)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
    );
  });

  it('of another version is refused by its number', () => {
    const { value } = signalRecord({ token: 't', websiteId: 'w', storedAt: 1, minutes: [] });
    expect(() => decodeSignal(Buffer.concat([Buffer.of(9), value.subarray(1)]))).toThrow(
      'requests.signals: unknown schema id 9',
    );
    expect(() => decodeSignal(value.subarray(0, 3))).toThrow();
  });
});

describe('a record that tells to forget', () => {
  const told = { websiteId: 'w', address: '2001:db8::7' };

  it('comes back as it was, under the website’s key', () => {
    const { key, value } = forgetRecord(told);
    expect(key).toBe('w');
    expect(decodeSignalRecord(value)).toEqual({ kind: 'forget', ...told });
  });
});

describe('a record that is passed on from a former partition', () => {
  const signal = { token: 't', websiteId: 'w', storedAt: 1, minutes: [] };
  const standing = (record: ReturnType<typeof signalRecord>, partition: number, offset: number) => ({
    ...record,
    ...{ partition, offset, appendedAt: 1 },
  });

  it('says where it stood, and what it says is as it was', () => {
    const { key, value } = passedOnRecord(standing(signalRecord(signal), 3, 17));
    expect(key).toBe('w');
    const origin = { partition: 3, offset: 17 };
    expect(decodeSignalRecord(value)).toEqual({ kind: 'signal', origin, websiteId: 'w', signal });
    expect(decodeSignal(value)).toEqual(signal);
  });

  it('names the newest of two places', () => {
    const once = passedOnRecord(standing(forgetRecord({ websiteId: 'w', address: '192.0.2.1' }), 3, 17));
    const { value } = passedOnRecord(standing(once, 5, 2));
    const origin = { partition: 5, offset: 2 };
    expect(decodeSignalRecord(value)).toEqual({
      ...{ kind: 'forget', origin, websiteId: 'w', address: '192.0.2.1' },
    });
  });
});

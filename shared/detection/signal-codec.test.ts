import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minute } from './signal.fixture.js';
import { decodeSignal, signalRecord } from './signal-codec.js';

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
      'requests.signals: unknown schema version 9',
    );
    expect(() => decodeSignal(value.subarray(0, 3))).toThrow();
  });
});

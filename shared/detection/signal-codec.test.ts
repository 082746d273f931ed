import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minute } from './signal.fixture.js';
import {
  decodeSignal,
  decodeSignalRecord,
  forgetRecord,
  signalRecord,
  tellsToForget,
} from './signal-codec.js';

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

describe('a record that tells to forget', () => {
  const told = { websiteId: 'w', address: '2001:db8::7' };

  it('comes back as it was, under the website’s key, and is told from signals', () => {
    const { key, value } = forgetRecord(told);
    expect(key).toBe('w');
    expect(decodeSignalRecord(value)).toEqual({ kind: 'forget', ...told });
    expect(tellsToForget(value)).toBe(true);
  });

  it('leaves signals in the form that releases before it read', () => {
    const signal = { token: 't', websiteId: 'w', storedAt: 1, minutes: [] };
    const { value } = signalRecord(signal);
    expect(value[0]).toBe(1);
    expect(tellsToForget(value)).toBe(false);
    expect(decodeSignalRecord(value)).toEqual({ kind: 'signal', websiteId: 'w', signal });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAvroType } from '../schemas/versioned-avro.js';
import { botOf, clientOf, minute, minuteOf } from './signal.fixture.js';
import type { ClientSignal, MinuteSignal } from './signal.js';
import {
  decodeSignal,
  decodeSignalRecord,
  forgetRecord,
  passedOnRecord,
  signalRecord,
  tellsToForget,
} from './signal-codec.js';

/** The first schema as it stands in the log: what a reader of the release before knows. */
const first = readAvroType('requests.signals', 1);

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

  const withClient = (status5xx: number) => ({
    ...{ token: 't', websiteId: 'w', storedAt: 1 },
    minutes: [minuteOf({ byClient: [clientOf({ status5xx })] })],
  });

  it('is read by the release before where no client met an error of the server', () => {
    const { value } = signalRecord(withClient(0));
    const { status5xx, ...known } = clientOf({});
    const { botsNotFound, botsOther4xx, bots5xx, ...counts } = minuteOf({
      byClient: [known as ClientSignal],
    });
    expect(value[0]).toBe(1);
    expect(first.fromBuffer(value.subarray(1))).toEqual({ ...withClient(0), minutes: [counts] });
    expect(signalRecord(withClient(1)).value[0]).toBe(3);
  });

  it('that the release before wrote is read, without errors of clients', () => {
    const avro = first.toBuffer(withClient(7));
    expect(decodeSignal(Buffer.concat([Buffer.of(1), avro]))).toEqual(withClient(0));
  });

  it('is read by releases before where the list of bots tells what they met, and comes back as it was where it does not', () => {
    const byBot = [botOf({ notFound: 1, rejected: 2, status5xx: 3 })];
    const listed = { botsNotFound: 1, botsOther4xx: 2, bots5xx: 3 };
    const of = (given: Partial<MinuteSignal>) => ({
      ...{ token: 't', websiteId: 'w', storedAt: 1 },
      minutes: [minuteOf({ byBot, ...given })],
    });
    expect(signalRecord(of(listed)).value[0]).toBe(1);
    expect(decodeSignal(signalRecord(of(listed)).value)).toEqual(of(listed));
    for (const field of Object.keys(listed) as (keyof typeof listed)[]) {
      const more = of({ ...listed, [field]: 9 });
      expect(signalRecord(more).value[0]).toBe(5);
      expect(decodeSignal(signalRecord(more).value)).toEqual(more);
    }
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
    expect(tellsToForget(value)).toBe(false);
  });

  it('says of two places the newest, and is known to tell to forget', () => {
    const once = passedOnRecord(standing(forgetRecord({ websiteId: 'w', address: '192.0.2.1' }), 3, 17));
    const { value } = passedOnRecord(standing(once, 5, 2));
    const origin = { partition: 5, offset: 2 };
    expect(decodeSignalRecord(value)).toEqual({
      ...{ kind: 'forget', origin, websiteId: 'w', address: '192.0.2.1' },
    });
    expect(tellsToForget(value)).toBe(true);
    expect(tellsToForget(value.subarray(0, 2))).toBe(false);
  });
});

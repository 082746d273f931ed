import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyAction, commandOf, contentsOf } from '../../../test/harness/control-actions.js';
import { partsOf } from '../../../test/harness/memory-snapshot-store.js';
import { runs } from '../../../test/harness/runs.js';
import { type Command, decide } from '../decide/commands.js';
import { evolve } from '../decide/fold.js';
import type { Decision } from '../domain/event.js';
import { emptyState, type WritableState } from '../domain/state.js';
import { copyState, deserialise, type StateCopy, serialise } from './snapshot.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Decision of the command, with ids derived from `seed`. Null if it is refused. */
function decisionOf(state: WritableState, command: Command, seed: number): Decision | null {
  const text = String(seed).padStart(8, '0');
  const generated = { id: text, keyId: text, secret: text.padEnd(43, 'x') };
  const result = decide(state, command, { now: NOW, generated });
  if ('refusal' in result) return null;
  return { id: text, at: new Date(NOW + seed).toISOString(), by: 'admin', events: result.events };
}

function apply(state: WritableState, command: Command, seed: number): Decision | null {
  const decision = decisionOf(state, command, seed);
  if (decision !== null) evolve(state, decision);
  return decision;
}

async function textsOf(copy: StateCopy): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of serialise(copy)) texts.push(text);
  return texts;
}

/** `count` organisations with names of a hundred characters. */
function stateOf(count: number): WritableState {
  const state = emptyState();
  for (let index = 0; index < count; index++)
    apply(state, { type: 'createOrganisation', name: `${index}`.padEnd(100, '_') }, index);
  return state;
}

describe('a restored state', () => {
  test('has the same rows and versions in the same order, and continues to fold equally', async () => {
    const actions = fc.array(fc.record(anyAction), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(actions, actions, fc.nat(100), async (before, after, last) => {
        const folded = emptyState();
        apply(folded, { type: 'createOrganisation', name: 'Shop' }, 0);
        const { id } = [...folded.organisations.values()][0]!;
        let seed = 1;
        for (const action of before) apply(folded, commandOf(folded, action, id), seed++);

        const restored = await deserialise(partsOf(await textsOf(copyState(folded))));
        expect(contentsOf(restored)).toEqual(contentsOf(folded));
        for (const action of after) {
          const command = commandOf(folded, action, id);
          expect(decisionOf(restored, command, seed)).toEqual(decisionOf(folded, command, seed));
          const decision = apply(folded, command, seed++);
          if (decision !== null) expect(evolve(restored, decision)).toBe(true);
        }
        expect(contentsOf(restored)).toEqual(contentsOf(folded));
        expect(restored.websites.by('organisationId', id)).toEqual(folded.websites.by('organisationId', id));
        for (const { digest } of folded.ingestKeys.values())
          expect(restored.ingestKeys.by('digest', digest)).toEqual(folded.ingestKeys.by('digest', digest));
        const stale = decisionOf(folded, { type: 'createOrganisation', name: 'Late' }, last)!;
        expect(evolve(restored, stale)).toBe(evolve(folded, stale));
      }),
      { numRuns: runs(100) },
    );
  });

  test('is empty if nothing was folded', async () => {
    const texts = await textsOf(copyState(emptyState()));
    expect(texts).toHaveLength(1);
    expect(contentsOf(await deserialise(partsOf(texts)))).toEqual(contentsOf(emptyState()));
  });

  test('preserves any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (name) => {
        const state = emptyState();
        state.organisations.put({
          id: name,
          name,
          planId: 'free',
          trial: null,
          customerId: null,
          subscription: null,
          createdAt: '',
        });
        state.versions.set(name, 3);
        const restored = await deserialise(partsOf(await textsOf(copyState(state))));
        expect(contentsOf(restored)).toEqual(contentsOf(state));
      }),
    );
  });
});

describe('serialisation', () => {
  test('splits a large state into several parts of about a megabyte', async () => {
    const state = stateOf(20_000);
    const texts = await textsOf(copyState(state));
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text.length).toBeLessThan(1.1 * 1024 ** 2);
    for (const text of texts.slice(0, -1)) expect(text.length).toBeGreaterThanOrEqual(1024 ** 2);
    expect(contentsOf(await deserialise(partsOf(texts)))).toEqual(contentsOf(state));
  });

  test('contains the state at the time of the copy', async () => {
    const state = stateOf(2_000);
    const wanted = contentsOf(state);
    const parts = serialise(copyState(state));
    const [first] = [...state.organisations.values()];
    apply(state, { type: 'setPlan', organisationId: first!.id, planId: 'scale' }, 90_000);
    apply(state, { type: 'createOrganisation', name: 'Later' }, 90_001);
    expect(contentsOf(await deserialise(parts))).toEqual(wanted);
  });

  test('yields to the event loop', async () => {
    const copy = copyState(stateOf(20_000));
    let turns = 0;
    let turning = true;
    const turn = () => {
      turns++;
      if (turning) setImmediate(turn);
    };
    setImmediate(turn);
    const texts = await textsOf(copy);
    turning = false;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    expect(turns).toBeGreaterThan(length / 100_000);
  });
});

describe('an invalid snapshot is refused', () => {
  test.each([
    ['no JSON', '{"name":"orga'],
    ['a table that there is not', '{"name":"planets","rows":[{"id":"a"}]}'],
    ['another object', '{"websites":[]}'],
    ['no rows', '{"name":"websites"}'],
  ])('%s', async (_what, text) => {
    await expect(deserialise(partsOf([text]))).rejects.toThrow();
  });

  test('parts of two, or not all of one', async () => {
    const state = stateOf(10_000);
    const one = await textsOf(copyState(state));
    const [first] = [...state.organisations.values()];
    apply(state, { type: 'setPlan', organisationId: first!.id, planId: 'scale' }, 90_000);
    const other = await textsOf(copyState(state));
    expect([one.length, other.length]).toEqual([3, 3]);
    const [a, b, c] = one as [string, string, string];
    for (const texts of [[a, b], [a, c], [b, a, c], [a, a, b, c], [other[0]!, b, c], []])
      await expect(deserialise(partsOf(texts))).rejects.toThrow('do not belong together');
    await deserialise(partsOf([a, b, c]));
  });
});

import { expect, test } from 'vitest';
import { createDecider } from '../../../test/harness/decider.js';
import { evolve } from '../decide/fold.js';
import { claimIdempotencyKey, MOST_ANSWER_CHARACTERS } from './idempotency.js';

test('an organisation keeps answers up to a limit; beyond it the claim stays and its answer is lost', () => {
  const decider = createDecider();
  const answer = 'x'.repeat(MOST_ANSWER_CHARACTERS / 4);
  const write = (id: string, organisationId: string) => {
    const event = claimIdempotencyKey(decider.state, id, { organisationId, requestDigest: 'd' });
    evolve(decider.state, { id, at: new Date(decider.now).toISOString(), by: 'api_key:k', events: [event] });
    decider.do({ type: 'answerIdempotencyKey', id, sealedAnswer: answer });
    return decider.state.idempotencyRecords.get(id);
  };
  for (let n = 0; n < 4; n++) expect(write(`one ${n}`, 'one')?.sealedAnswer).toBe(answer);
  expect(write('one more', 'one')).toMatchObject({ requestDigest: 'd', sealedAnswer: null });
  expect(write('other', 'other')?.sealedAnswer).toBe(answer);
});

import { randomBytes } from 'node:crypto';
import type { AnswerTo } from '../../shared/control/commands.js';
import { type Command, type CommandName, decide } from '../../shared/control/commands.js';
import { encodeDecision } from '../../shared/control/event-codec.js';
import { evolve } from '../../shared/control/fold.js';
import { emptyState } from '../../shared/control/state.js';
import type { EventLog, NewRecord } from '../../shared/event-log/event-log.js';

const RECORDS_PER_APPEND = 5_000;

const hex = () => randomBytes(12).toString('hex');

/**
 * Appends what so many events of organisations with a user, four websites and their keys are.
 * @returns how many records it took.
 */
export async function writeControlEvents(log: EventLog, events: number): Promise<number> {
  const state = emptyState();
  const batch: NewRecord[] = [];
  let written = 0;
  let records = 0;

  function run<Name extends CommandName>(command: Command<Name>): AnswerTo<Name> {
    const generated = { id: hex(), keyId: hex(), secret: randomBytes(32).toString('base64url') };
    const result = decide(state, command, { now: Date.now(), generated });
    if ('refusal' in result) throw new Error(result.refusal.detail);
    const at = new Date().toISOString();
    const decision = { id: hex(), at, by: 'admin' as const, events: result.events };
    evolve(state, decision);
    written += decision.events.length;
    records++;
    batch.push({ key: decision.events[0]!.aggregateId, value: encodeDecision(decision) });
    return result.answer(state);
  }

  while (written < events) {
    const name = `shop${written}`;
    const { id: organisationId } = run({ type: 'createOrganisation', name });
    const { id: userId } = run({ type: 'addUser', organisationId, email: `owner@${name}.example` });
    for (const host of ['www', 'blog', 'app'])
      run({ type: 'createWebsite', organisationId, domain: `${host}.${name}.example` });
    const site = run({ type: 'createWebsite', organisationId, domain: `${name}.example` });
    run({ type: 'rotateIngestKey', ingestKeyId: site.ingestKey.id });
    const { apiKey } = run({ type: 'createApiKey', organisationId });
    run({ type: 'createApiKey', organisationId, userId });
    run({ type: 'revokeApiKey', apiKeyId: apiKey.id });
    run({ type: 'setPlan', organisationId, planId: 'scale' });
    if (batch.length > RECORDS_PER_APPEND) await log.append('control.events', batch.splice(0));
  }
  await log.append('control.events', batch);
  return records;
}

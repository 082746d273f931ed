import fc from 'fast-check';
import type { ControlState } from '../../shared/control/state.js';

/** Things that people do to one organisation, so few names and rows that they meet often. */
export interface ControlAction {
  readonly kind: 'website' | 'plan' | 'user' | 'apiKey' | 'revoke' | 'rotate';
  readonly pick: number;
}

export const anyAction = {
  kind: fc.constantFrom<ControlAction['kind'][]>('website', 'plan', 'user', 'apiKey', 'revoke', 'rotate'),
  pick: fc.nat(2),
};

/** The command that this action is on this state. */
export function commandOf(state: ControlState, { kind, pick }: ControlAction, organisationId: string) {
  const nth = <Row>(rows: Iterable<Row>) => [...rows][pick];
  switch (kind) {
    case 'website':
      return { type: 'createWebsite', organisationId, domain: `shop${pick}.example` } as const;
    case 'plan':
      return {
        type: 'setPlan',
        organisationId,
        planId: (['free', 'basic', 'starter'] as const)[pick]!,
      } as const;
    case 'user':
      return { type: 'addUser', organisationId, email: `person${pick}@shop.example` } as const;
    case 'apiKey':
      return { type: 'createApiKey', organisationId } as const;
    case 'revoke':
      return { type: 'revokeApiKey', apiKeyId: nth(state.apiKeys.values())?.id ?? 'key_none' } as const;
    default:
      return {
        type: 'rotateIngestKey',
        ingestKeyId: nth(state.ingestKeys.values())?.id ?? 'ink_none',
      } as const;
  }
}

/** All that a state says, comparable: the rows of every table and the versions, in their order. */
export function contentsOf(state: ControlState): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(state).map(([name, held]) => [
      name,
      held instanceof Map ? [...held] : [...(held as { values(): Iterable<unknown> }).values()],
    ]),
  );
}

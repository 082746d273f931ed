import fc from 'fast-check';
import type { Command } from '../../shared/control/decide/commands.js';
import type { ControlState } from '../../shared/control/domain/state.js';

/**
 * Actions of people in one organisation, with few names and rows, so that actions often affect the same ones.
 */
export interface ControlAction {
  readonly kind: keyof typeof makers;
  readonly pick: number;
}

interface Field {
  readonly state: ControlState;
  readonly organisationId: string;
  readonly pick: number;
}

/** One of the existing rows, or an unknown id. */
function nth(rows: Iterable<{ readonly id: string }>, pick: number): string {
  return [...rows][pick]?.id ?? 'none';
}

const rules = [{ type: 'prefix' as const, value: '/' }];
const website = ({ state, pick }: Field) => nth(state.websites.values(), pick);
const segment = ({ state, pick }: Field) => nth(state.segments.values(), pick);
const plans = ['free', 'basic', 'starter'] as const;

const makers = {
  website: ({ organisationId, pick }) => ({
    type: 'createWebsite',
    organisationId,
    domain: `shop${pick}.example`,
  }),
  plan: ({ organisationId, pick }) => ({ type: 'setPlan', organisationId, planId: plans[pick]! }),
  user: ({ organisationId, pick }) => ({
    type: 'addUser',
    organisationId,
    email: `person${pick}@shop.example`,
  }),
  apiKey: ({ organisationId }) => ({ type: 'createApiKey', organisationId }),
  revoke: ({ state, pick }) => ({ type: 'revokeApiKey', apiKeyId: nth(state.apiKeys.values(), pick) }),
  rotateKey: ({ state, pick }) => ({ type: 'rotateApiKey', apiKeyId: nth(state.apiKeys.values(), pick) }),
  link: ({ organisationId }) => ({ type: 'createSignInLink', organisationId }),
  rotate: ({ state, pick }) => ({
    type: 'rotateIngestKey',
    ingestKeyId: nth(state.ingestKeys.values(), pick),
  }),
  trial: ({ state, organisationId, pick }) => ({
    type: 'startTrial',
    organisationId,
    userId: [...state.users.values()][pick]?.id ?? null,
    planId: 'growth',
  }),
  segment: (field) => ({
    type: 'createSegment',
    websiteId: nth(field.state.websites.values(), 0),
    name: `S${field.pick}`,
    rules,
    parentId: field.pick === 0 ? null : segment(field),
  }),
  nest: (field) => ({
    type: 'replaceSegment',
    websiteId: nth(field.state.websites.values(), 0),
    segmentId: segment(field),
    name: 'Nested',
    rules,
    parentId: segment({ ...field, pick: (field.pick + 1) % 3 }),
  }),
  deleteSegment: (field) => ({
    type: 'deleteSegment',
    websiteId: nth(field.state.websites.values(), 0),
    segmentId: segment(field),
  }),
  library: (field) => ({ type: 'addSegmentLibrary', websiteId: website(field) }),
  suppress: (field) => ({
    type: 'suppressBot',
    websiteId: website(field),
    crawler: 'Googlebot',
    days: field.pick + 1,
  }),
  endSuppression: (field) => ({ type: 'endBotSuppression', websiteId: website(field), crawler: 'Googlebot' }),
  alertSettings: (field) => ({
    type: 'changeAlertSettings',
    websiteId: website(field),
    min_email_severity: field.pick + 1,
  }),
  resolve: (field) => ({ type: 'resolveRecommendation', websiteId: website(field), key: '404:/old' }),
  reopen: (field) => ({ type: 'reopenRecommendation', websiteId: website(field), key: '404:/old' }),
  siteEvent: (field) => ({
    type: 'recordSiteEvent',
    websiteId: website(field),
    date: '2026-11-21',
    title: 'Release',
    createdBy: 'CI',
  }),
  report: ({ organisationId }) => ({ type: 'takeReport', organisationId }),
} satisfies Record<string, (field: Field) => Command>;

const kinds = Object.keys(makers) as ControlAction['kind'][];

export const anyAction = { kind: fc.constantFrom(...kinds), pick: fc.nat(2) };

/** The command of an action in this state. */
export function commandOf(
  state: ControlState,
  { kind, pick }: ControlAction,
  organisationId: string,
): Command {
  return makers[kind]({ state, organisationId, pick });
}

/** A comparable copy of a state: the rows of every table and the versions, in order. */
export function contentsOf(state: ControlState): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(state).map(([name, held]) => [
      name,
      held instanceof Map ? [...held] : [...(held as { values(): Iterable<unknown> }).values()],
    ]),
  );
}

import type { AnswerTo, Command, CommandName } from '../../shared/control/commands.js';
import type { Organisation, Segment, StoredApiKey, Website } from '../../shared/control/model.js';
import type { Plan } from '../../shared/control/plans.js';
import type { ControlState } from '../../shared/control/state.js';

/** Who calls: an API key and the organisation it belongs to. */
export interface Caller {
  readonly organisation: Organisation;
  readonly apiKey: StoredApiKey;
}

/** What goes with the command of a write; made by the request pipeline for each call. */
export interface Write {
  readonly caller: Caller;
  /** null: the write concerns the organisation, and so all of its websites. */
  readonly websiteId: string | null;
  /** The caller's Idempotency-Key, taken with whatever the command changes; null without one. */
  readonly idempotency: IdempotencyClaim | null;
}

export interface IdempotencyClaim {
  /** Hash that identifies key and caller without revealing them. */
  readonly id: string;
  /** Tells one request from another. */
  readonly requestDigest: string;
}

/** What the API asks of the control plane: from memory where it reads, one command where it writes. */
export interface ApiControl {
  /** Whose key this is; null for a key that is unknown, revoked, expired at `now`, or no API key at all. */
  authenticate(clearKey: string, now: number): Caller | null;
  /** Null for an unknown website and for another organisation's alike. */
  website(organisationId: string, websiteId: string): Website | null;
  /** Null for an unknown segment and for another website's alike. */
  segment(websiteId: string, segmentId: string): Segment | null;
  /** As of now: a trial may have begun or ended since the last call. */
  plan(organisation: Organisation): Plan;
  /** The whole state as of now; it goes on changing. */
  state(): ControlState;
  /**
   * Carries a command out; it can be read back when this resolves. What it changes is recorded as a site event that
   * names the key (spec §6), in the same decision.
   * @param title of the site event: what was done, as a sentence for people; null: none, for what is a site event itself.
   * @throws PublicError the refusal. @throws LogUnavailableError
   */
  execute<Name extends CommandName>(
    command: Command<Name>,
    write: Write,
    title: string | null,
  ): Promise<AnswerTo<Name>>;
  /** For what no caller asked for. @throws PublicError the refusal. @throws LogUnavailableError */
  executeAsSystem<Name extends CommandName>(command: Command<Name>): Promise<AnswerTo<Name>>;
}

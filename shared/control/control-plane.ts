import { type EventLog, LogUnavailableError } from '../event-log/event-log.js';
import { followLog } from '../event-log/follow-log.js';
import type { Logger } from '../logging/log.js';
import { type AnswerTo, type Command, type CommandName, decide } from './decide/commands.js';
import { evolve } from './decide/fold.js';
import type { GeneratedIds, Refusal } from './domain/command.js';
import type { Actor, ControlEvent, Decision } from './domain/event.js';
import { encodeDecision, keyOf } from './domain/event-codec.js';
import { SECRET_BYTES } from './domain/keys.js';
import type { ControlState } from './domain/state.js';
import type { KeyRing } from './sealing/key-ring.js';
import { readDecision, sealDecision } from './sealing/seal-decision.js';
import type { SnapshotStore } from './snapshot/snapshot-store.js';
import { findFoldStart } from './snapshot/start-of-fold.js';
import { createSnapshotTaker, snapshotGap } from './snapshot/take-snapshots.js';

/** The control plane of one process: the state folded from `control.events`, and commands that write to it. */

const TOPIC = 'control.events';

/** Ids are opaque and never reused: 96 random bits. */
const ID_BYTES = 12;

/**
 * Each round of a race has one winner, so this many writers may meet on one aggregate before one of them is
 * told to come again.
 */
const MAX_ROUNDS = 32;

/** From durable in the log to folded here takes milliseconds; past this the tail stands still. */
const FOLD_TIMEOUT_MS = 10_000;

export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

/**
 * Extra events that are appended atomically with the command's: computed again on each retry, and never where the command
 * changes nothing. What it throws is thrown by `execute`, and nothing is written.
 */
export type ExtraEvents = (
  state: ControlState,
  decided: {
    readonly events: readonly ControlEvent[];
    readonly now: number;
    readonly generated: GeneratedIds;
  },
) => readonly ControlEvent[];

export interface ControlPlane {
  /** Whether the log had no decision when it was opened. */
  readonly wasEmpty: boolean;
  /** The state as of now. It goes on changing: ask again after every wait. */
  state(): ControlState;
  /**
   * Decides, appends, and resolves when the decision is folded here: what follows sees it. Where another
   * writer was first it decides again on what that one left.
   * @throws LogUnavailableError where the log did not take the decision, or may have; it can be repeated.
   */
  execute<Name extends CommandName>(
    command: Command<Name>,
    actor: Actor,
    extraEvents?: ExtraEvents,
  ): Promise<Outcome<AnswerTo<Name>>>;
  close(): Promise<void>;
}

export interface ControlPlaneOptions {
  /**
   * What personal fields are sealed with where the log can't be rewritten. Absent: they are written as they are, and those
   * that were sealed by others are read as placeholders; what a service does without names needs no keys.
   */
  readonly ring?: KeyRing | undefined;
  readonly log: EventLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cryptographically strong; keys are made of it. */
  readonly randomBytes: (count: number) => Buffer;
  readonly logger: Logger;
  /** The log can't be followed any more: the state grows stale and the process should exit. */
  readonly onCrash: (error: Error) => void;
  /** Where a restart begins, and where this process leaves snapshots for the next one if it can write them. */
  readonly snapshots?: (Pick<SnapshotStore, 'readNewest'> & Partial<SnapshotStore>) | undefined;
  /** Records from one snapshot to the next; default: more where the log has more. */
  readonly snapshotEvery?: number | undefined;
  /**
   * Called for each decision that held, in the log's order, when the state has it; while the log is being caught up with
   * too, but not for what a snapshot holds. May be called again for the same decision after a restart. Must not throw.
   */
  readonly onApplied?: ((decision: Decision, offset: number) => void) | undefined;
  /**
   * Resolves when what `onApplied` was told of offsets before this one is safe: a snapshot is written only then, since a
   * restart from it does not tell of them again.
   */
  readonly beforeSnapshot?: ((nextOffset: number) => Promise<void>) | undefined;
}

/**
 * Resolves when everything that stood in the log has been folded: nobody sees a half-built state.
 * @throws what kept the log from being read to its end.
 */
export async function openControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { log, now, logger, snapshots, snapshotEvery } = options;
  const { state, nextOffset } = await findFoldStart(log, snapshots, logger);
  const taker = createSnapshotTaker({
    state,
    nextOffset,
    write: snapshots?.write,
    gap: snapshotEvery === undefined ? snapshotGap : () => snapshotEvery,
    before: options.beforeSnapshot,
    now,
    logger,
  });
  const pending = createPendingDecisions();
  let hasDecisions = false;
  function fold(decision: Decision, offset: number): void {
    hasDecisions = true;
    const holds = evolve(state, decision);
    if (holds) options.onApplied?.(decision, offset);
    pending.folded(decision.id, holds);
    taker.folded(decision.id, offset + 1);
  }

  const tail = await followLog(log, {
    topic: TOPIC,
    from: nextOffset,
    async onRecords(records) {
      for (const { value, offset } of records) fold(await readDecision(value, options.ring), offset);
    },
    onCrash(error) {
      pending.end(new LogUnavailableError('the control log can no longer be read', { cause: error }));
      options.onCrash(error);
    },
  });
  taker.begin();
  const wasEmpty = nextOffset === 0 && !hasDecisions;
  logger.info(
    { organisations: state.organisations.size, websites: state.websites.size },
    'control plane ready',
  );
  return {
    wasEmpty,
    state: () => state,
    execute: createExecutor(options, state, pending),
    async close() {
      taker.stop();
      pending.end(new LogUnavailableError('the control plane is closed'));
      await tail.stop();
    },
  };
}

/** Decides and commits in rounds, until a decision holds or none is needed. */
function createExecutor(
  { log, now, randomBytes, logger, ring }: ControlPlaneOptions,
  state: ControlState,
  pending: ReturnType<typeof createPendingDecisions>,
): ControlPlane['execute'] {
  /** Whether the decision held once it was folded. */
  const commit = (decision: Decision) =>
    pending.settle(decision.id, async () => {
      const written = ring ? await sealDecision(decision, state, { ring, randomBytes }) : decision;
      await log.append(TOPIC, [{ key: keyOf(written), value: encodeDecision(written) }]);
    });

  return async (command, actor, extraEvents = () => []) => {
    const generated = generateIds(randomBytes);
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      pending.throwIfEnded();
      const at = now();
      const result = decide(state, command, { now: at, generated });
      if ('refusal' in result) return result;
      const { events } = result;
      const others = events.length === 0 ? [] : extraEvents(state, { events, now: at, generated });
      const decision = {
        id: hex(randomBytes),
        at: new Date(at).toISOString(),
        by: actor,
        events: [...events, ...others],
      };
      if (events.length === 0 || (await commit(decision))) {
        logger.info({ command: command.type, by: actor, round }, 'control command done');
        return { answer: result.answer(state) };
      }
    }
    return { refusal: { code: 'conflict', detail: 'too many changes at the same time: try again' } };
  };
}

/** The decisions of this process that are written and not folded yet. */
function createPendingDecisions() {
  const waiting = new Map<string, { resolve(holds: boolean): void; reject(error: Error): void }>();
  let ended: Error | null = null;
  return {
    /** Appends the decision. @returns whether it held once it was folded. @throws LogUnavailableError also after the time. */
    async settle(id: string, append: () => Promise<unknown>): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined;
      const settled = new Promise<boolean>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      // Where the append itself fails nobody asks any more.
      settled.catch(() => {});
      try {
        await append();
        const late = new LogUnavailableError('the change was written but not read back in time');
        timer = setTimeout(() => waiting.get(id)?.reject(late), FOLD_TIMEOUT_MS);
        return await settled;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    folded: (id: string, holds: boolean) => waiting.get(id)?.resolve(holds),
    /** Nothing will be folded any more: whoever waits is told, and so is whoever comes. */
    end(error: Error) {
      ended ??= error;
      for (const waiter of waiting.values()) waiter.reject(ended);
    },
    throwIfEnded() {
      if (ended !== null) throw ended;
    },
  };
}

function generateIds(randomBytes: ControlPlaneOptions['randomBytes']): GeneratedIds {
  return {
    id: hex(randomBytes),
    keyId: hex(randomBytes),
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

function hex(randomBytes: ControlPlaneOptions['randomBytes']): string {
  return randomBytes(ID_BYTES).toString('hex');
}

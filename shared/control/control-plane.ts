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

/** Each round of a race has one winner, so this many writers can compete for one aggregate before one is refused. */
const MAX_ROUNDS = 32;

/** A durable record is folded within milliseconds; after this time the tail is stalled. */
const FOLD_TIMEOUT_MS = 10_000;

export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

/**
 * Returns extra events that are appended atomically with the command's. Called again on each retry, and never if the
 * command changes nothing. If it throws, `execute` rethrows the error and writes nothing.
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
  /** The current state. It keeps changing: call again after every wait. */
  state(): ControlState;
  /**
   * Decides, appends, and resolves when the decision is folded here, so that later reads see it. If another writer was
   * first, it decides again on the new state.
   * @throws LogUnavailableError if the log did not accept the decision, or may not have; the command can be retried.
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
   * Seals personal fields if the log cannot be rewritten. Absent: they are written in plain text, and fields sealed by
   * other processes are read as placeholders. A service that needs no names needs no keys.
   */
  readonly ring?: KeyRing | undefined;
  readonly log: EventLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cryptographically strong; used for keys. */
  readonly randomBytes: (count: number) => Buffer;
  readonly logger: Logger;
  /** The log can no longer be followed: the state becomes stale, and the process should exit. */
  readonly onCrash: (error: Error) => void;
  /** Snapshots from which a restart begins, and to which this process writes new ones if it can. */
  readonly snapshots?: (Pick<SnapshotStore, 'readNewest'> & Partial<SnapshotStore>) | undefined;
  /** Records between two snapshots; default: grows with the log. */
  readonly snapshotEvery?: number | undefined;
  /**
   * Called for each valid decision, in the log's order, after it was folded. Also called during catch-up, but not for
   * decisions contained in a snapshot. May be called again for the same decision after a restart. Must not throw.
   */
  readonly onApplied?: ((decision: Decision, offset: number) => void) | undefined;
  /**
   * Resolves when the effects of `onApplied` for all offsets before this one are durable. A snapshot is written only
   * then, since a restart from it does not call `onApplied` for them again.
   */
  readonly beforeSnapshot?: ((nextOffset: number) => Promise<void>) | undefined;
}

/**
 * Resolves when all existing records have been folded, so that nobody sees a partial state.
 * @throws the error that prevented reading the log to its end.
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

/** Decides and commits in rounds, until a decision is valid or none is needed. */
function createExecutor(
  { log, now, randomBytes, logger, ring }: ControlPlaneOptions,
  state: ControlState,
  pending: ReturnType<typeof createPendingDecisions>,
): ControlPlane['execute'] {
  /** Returns whether the decision was valid when it was folded. */
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
        // Strangers can send commands that change nothing, such as the end of an unknown token.
        const level = events.length === 0 ? 'debug' : 'info';
        logger[level]({ command: command.type, by: actor, round }, 'control command done');
        return { answer: result.answer(state) };
      }
    }
    return { refusal: { code: 'conflict', detail: 'too many changes at the same time: try again' } };
  };
}

/** Decisions of this process that are written but not yet folded. */
function createPendingDecisions() {
  const waiting = new Map<string, { resolve(holds: boolean): void; reject(error: Error): void }>();
  let ended: Error | null = null;
  return {
    /**
     * Appends the decision. @returns whether it was valid when it was folded. @throws LogUnavailableError, also after
     * the timeout.
     */
    async settle(id: string, append: () => Promise<unknown>): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined;
      const settled = new Promise<boolean>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      // If the append itself fails, nobody awaits it.
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
    /** Nothing will be folded any more: rejects present and later waiters. */
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

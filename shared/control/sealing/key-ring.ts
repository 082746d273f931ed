import { type EventLog, LogUnavailableError } from '../../event-log/event-log.js';
import { followLog } from '../../event-log/follow-log.js';

/**
 * Keys that seal personal fields of `control.events`, one or a few per organisation. They are in `control.keys`, a
 * compacted topic. To erase an organisation, its keys are overwritten with empty values, and the brokers delete the old
 * values. If writers race for an organisation's first key, both keys stay valid.
 */

const TOPIC = 'control.keys';
const KEY_BYTES = 32;
const NAME_BYTES = 6;
/** Longest wait for a record that was durable before another record referred to it. */
const PATIENCE_MS = 10_000;

export interface SealingKey {
  /** `<organisation id>/<random>` */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface KeyRing {
  /** A key of the organisation, created if it has none: durable when it resolves. @throws LogUnavailableError */
  keyOf(organisationId: string): Promise<SealingKey>;
  /** null: shredded, or of another installation. Synchronous for known keys. */
  find(name: string): Buffer | null | Promise<Buffer | null>;
  /** Overwrites every key of the organisation. Durable when it resolves; idempotent. */
  shred(organisationId: string): Promise<void>;
  close(): Promise<void>;
}

export interface KeyRingOptions {
  readonly log: EventLog;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  /** The keys can no longer be followed; the process should exit. */
  readonly onCrash: (error: Error) => void;
}

/** Resolves when all keys in the log are known. @throws the error that prevented reading. */
export async function openKeyRing({ log, randomBytes, onCrash }: KeyRingOptions): Promise<KeyRing> {
  /** By organisation; null: shredded. */
  const keys = new Map<string, Map<string, Buffer | null>>();
  let read = 0;
  let woken: (() => void)[] = [];

  const tail = await followLog(log, {
    topic: TOPIC,
    onRecords(records) {
      for (const { key, value, offset } of records) {
        const organisation = organisationOf(key);
        const held = keys.get(organisation) ?? new Map<string, Buffer | null>();
        held.set(key, value.length === KEY_BYTES ? Buffer.from(value) : null);
        keys.set(organisation, held);
        read = offset + 1;
      }
      const waiting = woken;
      woken = [];
      for (const go of waiting) go();
    },
    onCrash,
  });

  /** Waits until all records before offset `next` are read. */
  async function catchUp(next: number): Promise<void> {
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while (read < next) {
      if (deadline.aborted) throw new LogUnavailableError(`${TOPIC} was not read in time`);
      await new Promise<void>((go) => {
        woken.push(go);
        setTimeout(go, 100).unref();
      });
    }
  }

  async function append(name: string, value: Buffer): Promise<void> {
    const [position] = await log.append(TOPIC, [{ key: name, value }]);
    await catchUp(position!.offset + 1);
  }

  const lookUp = (name: string) => keys.get(organisationOf(name))?.get(name);

  async function lookAgain(name: string): Promise<Buffer | null> {
    await catchUp((await log.offsets(TOPIC)).get(0)?.next ?? 0);
    return lookUp(name) ?? null;
  }

  return {
    async keyOf(organisationId) {
      for (const [name, bytes] of keys.get(organisationId) ?? []) if (bytes !== null) return { name, bytes };
      const name = `${organisationId}/${randomBytes(NAME_BYTES).toString('hex')}`;
      const bytes = randomBytes(KEY_BYTES);
      await append(name, bytes);
      return { name, bytes };
    },
    find(name) {
      const known = lookUp(name);
      return known === undefined ? lookAgain(name) : known;
    },
    async shred(organisationId) {
      await catchUp((await log.offsets(TOPIC)).get(0)?.next ?? 0);
      for (const [name, bytes] of keys.get(organisationId) ?? [])
        if (bytes !== null) await append(name, Buffer.alloc(0));
    },
    close: () => tail.stop(),
  };
}

function organisationOf(name: string): string {
  return name.split('/', 1)[0]!;
}

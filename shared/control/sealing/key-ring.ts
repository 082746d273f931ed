import { type EventLog, LogUnavailableError } from '../../event-log/event-log.js';
import { followLog } from '../../event-log/follow-log.js';

/**
 * The keys that personal fields of `control.events` are sealed with, one or a few for each organisation. They stand in
 * `control.keys`, which keeps the last value of each key alone: to erase an organisation, its keys are written over with nothing,
 * and the brokers take the old values away. Writers that race for an organisation's first key both keep theirs.
 */

const TOPIC = 'control.keys';
const KEY_BYTES = 32;
const NAME_BYTES = 6;
/** A record that was durable before what refers to it is read within this. */
const PATIENCE_MS = 10_000;

export interface SealingKey {
  /** `<organisation id>/<random>` */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface KeyRing {
  /** A key of the organisation, made where it has none: durable when it resolves. @throws LogUnavailableError */
  keyOf(organisationId: string): Promise<SealingKey>;
  /** null: shredded, or of another installation. What is known already costs no wait. */
  find(name: string): Buffer | null | Promise<Buffer | null>;
  /** Writes over every key of the organisation. Durable when it resolves; a second call changes nothing. */
  shred(organisationId: string): Promise<void>;
  close(): Promise<void>;
}

export interface KeyRingOptions {
  readonly log: EventLog;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  /** The keys can't be followed any more; the process should exit. */
  readonly onCrash: (error: Error) => void;
}

/** Resolves when every key that stood in the log is known. @throws what kept it from being read. */
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

  /** Until everything is known that was durable when it was called. */
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

import pino from 'pino';
import { Registry } from 'prom-client';
import { vi } from 'vitest';
import type { Ending } from '../../../services/jobs/notifications/after-attempt.js';
import { foundAt } from '../../../services/jobs/notifications/messages/from-import.js';
import type { Audience } from '../../../services/jobs/notifications/messages/make-deliveries.js';
import {
  type Notifications,
  startNotifications,
} from '../../../services/jobs/notifications/notification-service.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import {
  type Delivery,
  deliveryIdOf,
  type NewDelivery,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import { createMemoryEventLog, type MemoryEventLog } from '../memory-event-log.js';
import { toMessageAlert } from './alert.js';

/** Notifications on a log and tables in memory, which survive the process that a test kills. */
export interface World {
  readonly log: MemoryEventLog;
  readonly alerts: Map<string, Alert>;
  readonly rows: Map<string, Delivery>;
  /** Ids of deliveries in the order in which their receivers accepted them. */
  readonly received: string[];
  readonly audiences: Map<string, Audience>;
}

export function createWorld(...audiences: readonly Audience[]): World {
  return {
    log: createMemoryEventLog(2, Date.now),
    alerts: new Map(),
    rows: new Map(),
    received: [],
    audiences: new Map(audiences.map((each) => [each.websiteId, each])),
  };
}

/** Like the detector: the row first, then the record. */
export async function fire(world: World, ...alerts: readonly Alert[]): Promise<void> {
  for (const alert of alerts) world.alerts.set(`${alert.websiteId} ${alert.alertId}`, alert);
  await world.log.append('alerts', alerts.map(alertRecord));
}

/** The result of a delivery attempt; default: accepted. */
export type Receiver = (delivery: Delivery, signal: AbortSignal) => Promise<Ending>;

/** A process's external effects. It may die at any of them. */
export interface Life {
  /**
   * Runs the effect, or kills the process before or after it.
   * @throws if the process is dead
   */
  step<T>(name: string, effect: () => Promise<T>): Promise<T>;
}

const alive: Life = { step: (_name, effect) => effect() };

/** Dies before or after the step of this number. `diedAt` names it. */
export function mortal(
  number: number,
  moment: 'before' | 'after',
): Life & { diedAt: string | null; steps: number } {
  const life = {
    steps: 0,
    diedAt: null as string | null,
    async step<T>(name: string, effect: () => Promise<T>): Promise<T> {
      if (life.diedAt !== null) throw new Error('the process is dead');
      const dies = life.steps++ === number;
      if (dies && moment === 'before') {
        life.diedAt = `before ${name}`;
        throw new Error('the process is dead');
      }
      const result = await effect();
      if (dies) {
        life.diedAt = `after ${name}`;
        throw new Error('the process is dead');
      }
      return result;
    },
  };
  return life;
}

export async function startProcess(
  world: World,
  {
    life = alive,
    receive = async () => ({ status: 'sent' }),
    registry = new Registry(),
    readTraces = () => {},
    readDue = async () => {},
    readWaiting = () => {},
  }: {
    life?: Life;
    receive?: Receiver;
    registry?: Registry;
    /** Called before the traces of a website are read; its error is the read's. */
    readTraces?: (websiteId: string) => void;
    /** Called before due deliveries are read. */
    readDue?: () => Promise<void>;
    /** Called before the alerts that wait for a website's summary are read. */
    readWaiting?: (websiteId: string) => void;
  } = {},
): Promise<Notifications> {
  const log: EventLog = {
    ...world.log,
    async consume(options) {
      const consumer = await world.log.consume(options);
      return { ...consumer, commit: (...given) => life.step('commit', () => consumer.commit(...given)) };
    },
  };
  const notifications = await startNotifications({
    log,
    websiteIds: () => world.audiences.keys(),
    audienceOf: (websiteId) => world.audiences.get(websiteId),
    readTraces: ({ websiteId, fingerprints }) =>
      life.step('readTraces', async () => {
        readTraces(websiteId);
        return [...world.alerts.values()]
          .filter(
            (alert) =>
              alert.websiteId === websiteId &&
              fingerprints.includes(`${alert.type}|${alert.severity}|${alert.subject}`),
          )
          .map(toMessageAlert);
      }),
    readQueued: ({ websiteId, from, to }) =>
      life.step('readQueued', async () =>
        [...world.rows.values()].flatMap((row) => {
          const alert = world.alerts.get(`${websiteId} ${row.alertId}`);
          return alert !== undefined && alert.createdAt >= from && alert.createdAt < to
            ? [{ ...row, type: alert.type, severity: alert.severity }]
            : [];
        }),
      ),
    readAlerts: ({ websiteId, from, to }) =>
      life.step('readAlerts', async () =>
        [...world.alerts.values()]
          .filter(
            (alert) =>
              alert.websiteId === websiteId &&
              Math.max(alert.lastSeen, foundAt(alert)) >= from &&
              foundAt(alert) < to,
          )
          .map(toMessageAlert),
      ),
    readImporting: () =>
      life.step('readImporting', async () => [
        ...new Set(waitingOf(world).map(({ websiteId }) => websiteId)),
      ]),
    readWaiting: (websiteId) =>
      life.step('readWaiting', async () => {
        readWaiting(websiteId);
        return waitingOf(world).filter((row) => row.websiteId === websiteId);
      }),
    readSummarised: ({ websiteId, summary }) =>
      life.step('readSummarised', async () =>
        waitingOf(world)
          .filter((row) => row.websiteId === websiteId && row.content === summary)
          .flatMap((row) => world.alerts.get(`${websiteId} ${row.alertId}`) ?? [])
          .map(toMessageAlert),
      ),
    recordAll: (deliveries) =>
      life.step('recordAll', async () => {
        for (const each of deliveries) replace(world, each);
      }),
    queue: (deliveries) =>
      life.step('queue', async () => {
        for (const each of deliveries) putIn(world, each);
      }),
    readDue: () =>
      life.step('readDue', async () => {
        await readDue();
        return [...world.rows.values()].filter(
          ({ channel, status, nextAttemptAt }) =>
            channel !== 'imported' && status === 'pending' && nextAttemptAt <= Date.now(),
        );
      }),
    read: ({ id }) => life.step('read', async () => world.rows.get(id) ?? null),
    send: (delivery, signal) =>
      life.step('send', async () => {
        const ending = await receive(delivery, signal);
        if (ending.status === 'sent') world.received.push(delivery.id);
        return ending;
      }),
    record: (delivery) => life.step('record', async () => replace(world, delivery)),
    now: Date.now,
    logger: pino({ level: 'silent' }),
    registry,
    onCrash(error) {
      throw error;
    },
  });
  return notifications;
}

function waitingOf({ rows }: World): Delivery[] {
  return [...rows.values()].filter(({ channel, status }) => channel === 'imported' && status === 'pending');
}

function putIn(world: World, delivery: NewDelivery): void {
  const at = { queuedAt: Date.now(), nextAttemptAt: Date.now() };
  replace(world, {
    ...delivery,
    ...at,
    id: deliveryIdOf(delivery),
    status: 'pending',
    attempts: 0,
    reason: '',
    revision: 0,
  });
}

/** Like ReplacingMergeTree by revision. */
function replace({ rows }: World, delivery: Delivery): void {
  const before = rows.get(delivery.id);
  if (before === undefined || before.revision <= delivery.revision) rows.set(delivery.id, delivery);
}

/** Finishes all running work that waits only for the clock. */
export async function settle(ms = 0): Promise<void> {
  for (let round = 0; round < 5; round++) await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(ms);
  for (let round = 0; round < 5; round++) await vi.advanceTimersByTimeAsync(0);
}

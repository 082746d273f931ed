import { expect } from 'vitest';
import { createWorld, play, type Step, startLife, upload, type World } from './partition-world.js';

export function busyWorld(): World {
  const world = createWorld();
  for (let minute = 0; minute < 50; minute += 1) {
    const isLoud = (minute >= 5 && minute < 15) || minute >= 30;
    upload(world, {
      at: minute + 1.2,
      requests: { [minute]: isLoud ? 12 : 1 },
    });
    if (minute % 7 === 0) {
      upload(world, { at: minute + 1.3, requests: { [minute]: 99 }, isRepeated: true });
      upload(world, { at: minute + 1.4, website: 'v', requests: { [minute]: minute === 21 ? 40 : 2 } });
    }
    if (minute === 40) upload(world, { at: 41.3, requests: { 2: 1, 17: 2 } });
  }
  return world;
}

/** Minutes after START until everything is found. */
export const END = 70;

/** The final contents of the table and of the topic for readers. */
export function outcomeOf({ alerts, sent, health }: World) {
  const seen = [...alerts.values()].map(({ alertId, occurrences, lastSeen }) => ({
    alertId,
    occurrences,
    lastSeen,
  }));
  const newest = new Map<string, number>();
  for (const { alertId, occurrences } of sent)
    newest.set(alertId, Math.max(newest.get(alertId) ?? 0, occurrences));
  const values = [...health].map(([key, { value }]) => [key, value] as const);
  return {
    alerts: seen.sort((a, b) => (a.alertId < b.alertId ? -1 : 1)),
    sent: new Map([...newest].sort()),
    health: new Map(values.sort()),
  };
}

/** The world after one owner without failures. */
export async function undisturbed() {
  const world = busyWorld();
  const steps: Step[] = [];
  const life = startLife(world, (step) => void steps.push(step));
  await play(world, life, END);
  expect(life.crashes).toEqual([]);
  return { outcome: outcomeOf(world), steps, world };
}

import { statusClasses, sumsOf } from '../answer/figures.js';
import { toStatusCategory } from '../answer/status-category.js';

/** Folds figures of all traffic from those of each class and each status. */

const classes = [
  'human_requests',
  'search_bot_requests',
  'ai_bot_requests',
  'other_bot_requests',
  'spoofed_bot_requests',
  'undeclared_agent_requests',
] as const;

const summed = [
  'requests',
  ...classes,
  ...statusClasses,
  'bytes_sent',
  'timed_requests',
  'time_taken_ms',
] as const;

export type FoldedVolume = Record<(typeof summed)[number], number>;

export const noVolume: FoldedVolume = sumsOf(summed, []);

/** The figure of each traffic class and of each status category. */
const figureOfClass = new Map<string, keyof FoldedVolume>(
  classes.map((name) => [name.slice(0, -'_requests'.length), name]),
);
const figureOfStatus = new Map<string, keyof FoldedVolume>(
  statusClasses.map((name) => [name.slice('status_'.length), name]),
);

interface Sums {
  readonly requests: number;
  readonly bytes_sent: number;
  readonly timed_requests: number;
  readonly time_taken_ms: number;
}

/** @param byClass rows that include every request exactly once, like those of `byStatus`. */
export function foldVolume(
  byClass: readonly (Sums & { traffic_class: string })[],
  byStatus: readonly { status_class: number; requests: number }[],
): FoldedVolume {
  const volume = { ...noVolume };
  for (const row of byClass) {
    volume.requests += row.requests;
    volume.bytes_sent += row.bytes_sent;
    volume.timed_requests += row.timed_requests;
    volume.time_taken_ms += row.time_taken_ms;
    const name = figureOfClass.get(row.traffic_class);
    if (name !== undefined) volume[name] += row.requests;
  }
  for (const { status_class, requests } of byStatus) {
    const name = figureOfStatus.get(toStatusCategory(100 * status_class));
    if (name !== undefined) volume[name] += requests;
  }
  return volume;
}

/** The sum of each figure. */
export function sumVolumes(volumes: readonly FoldedVolume[]): FoldedVolume {
  return sumsOf(summed, volumes);
}

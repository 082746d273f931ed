import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../process-memory.js';
import type { Upload } from '../uploads.js';
import { type Cpu, cpuOf, type EngineCpu, engineCostsOf, engineCpuOf } from './process-cpu.js';
import { rowsStored, untilStored } from './rows-stored.js';
import { type Sending, sendUploads } from './send-uploads.js';

/**
 * Measures the whole write path: uploads over HTTP, answered after the log is durable, enriched, and stored
 * with every rollup.
 */

/** The running processes: one with an engine, or many. */
export interface Pipeline {
  readonly ingestUrl: string;
  /** One per website; uploads alternate between them. */
  readonly ingestKeys: readonly string[];
  /** Services whose /metrics report the stored rows. */
  readonly enricherUrls: readonly string[];
  /** Process ids by role; NaN if the process is not on this machine. */
  readonly processes: Readonly<Record<string, number>> & { readonly engine: number };
}

export interface RateOptions {
  readonly seconds: number;
  readonly source: string;
  readonly senders: number;
  /** Rate limit; undefined: as fast as uploads are answered. */
  readonly linesPerSecond?: number | undefined;
  /** Starts an observer just before the first upload. */
  readonly beside?: (() => Promise<Onlooker>) | undefined;
}

export interface Onlooker {
  /**
   * Called when the last upload has its answer, before the wait for stored rows.
   * @returns rows that it has sent itself
   */
  end(): Promise<number>;
}

export interface RateResult {
  readonly lines: number;
  /** From the first upload until the last row is stored. */
  readonly seconds: number;
  readonly linesPerSecond: number;
  /** Number of refused uploads. */
  readonly refused: number;
  /** Accepted lines a second, by part of the run, oldest first, to show whether the rate is stable. */
  readonly parts: { readonly seconds: number; readonly linesPerSecond: readonly number[] };
  /** By process, µs a line. */
  readonly cpu: Readonly<Record<string, Cpu>>;
  readonly cpuMicroseconds: number;
  /** The engine's CPU by purpose, µs a line. */
  readonly engine: EngineCpu;
  /** Peaks by process, MiB. */
  readonly memory: Readonly<Record<string, { readonly anonymous: number; readonly file: number }>>;
  /** Peak of the anonymous pages of all processes together, MiB. */
  readonly memoryTogether: number;
}

const MEBIBYTE = 1024 ** 2;
const MEMORY_EVERY_MS = 1000;

/**
 * Measures rate and costs until the last row is stored.
 * @throws Error if rows are not stored
 */
export async function measureRate(
  pipeline: Pipeline,
  uploads: readonly Upload[],
  { seconds, beside, ...how }: RateOptions,
): Promise<RateResult> {
  const storedBefore = await rowsStored(pipeline);
  // Started after `storedBefore`, which must not include its rows.
  const onlooker = await beside?.();
  const cpuBefore = cpusOf(pipeline);
  const engineBefore = engineCpuOf(pipeline.processes.engine);
  const started = performance.now();
  const sending = sendUploads(uploads, { ...pipeline, ...how });
  const memory = watchMemory(pipeline);
  const parts = watchParts(sending, partSeconds(seconds));
  await sleep(seconds * 1000);
  parts.stop();
  await sending.stop();
  const others = (await onlooker?.end()) ?? 0;
  const lines = sending.lines();
  await untilStored(pipeline, storedBefore + lines + others);
  const elapsed = (performance.now() - started) / 1000;
  const cpu = costsOf(cpusOf(pipeline), cpuBefore, lines);
  const engine = engineCostsOf(engineCpuOf(pipeline.processes.engine), engineBefore, lines);
  return {
    lines,
    seconds: elapsed,
    linesPerSecond: lines / elapsed,
    refused: sending.refused(),
    parts: { seconds: partSeconds(seconds), linesPerSecond: parts.rates },
    cpu,
    cpuMicroseconds: sumOfCpu(cpu),
    engine,
    ...memory.stop(),
  };
}

/** Length of a part: a minute for a long run; in a short one still more than one upload. */
export function partSeconds(seconds: number): number {
  return seconds >= 180 ? 60 : 10;
}

/** Microseconds a line that each process used between two looks. */
export function costsOf(
  after: Readonly<Record<string, Cpu>>,
  before: Readonly<Record<string, Cpu>>,
  lines: number,
): Record<string, Cpu> {
  const perLine = (seconds: number) => (1e6 * seconds) / Math.max(1, lines);
  return Object.fromEntries(
    Object.entries(after).map(([name, { user, system }]) => [
      name,
      { user: perLine(user - before[name]!.user), system: perLine(system - before[name]!.system) },
    ]),
  );
}

/** Sum over the measured processes. */
function sumOfCpu(cpu: Readonly<Record<string, Cpu>>): number {
  return Object.values(cpu)
    .map(({ user, system }) => user + system)
    .filter(Number.isFinite)
    .reduce((sum, value) => sum + value, 0);
}

function cpusOf({ processes }: Pipeline): Record<string, Cpu> {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuOf(pid)]));
}

function watchParts(sending: Sending, seconds: number) {
  const rates: number[] = [];
  let [last, since] = [0, performance.now()];
  const endPart = () => {
    const now = performance.now();
    rates.push((1000 * (sending.lines() - last)) / (now - since));
    [last, since] = [sending.lines(), now];
  };
  const timer = setInterval(endPart, seconds * 1000);
  return {
    rates,
    stop() {
      clearInterval(timer);
      // A short rest is not significant.
      if (performance.now() - since >= 500 * seconds) endPart();
    },
  };
}

function watchMemory({ processes }: Pipeline) {
  const peaks = new Map(Object.keys(processes).map((name) => [name, { anonymous: 0, file: 0 }]));
  let memoryTogether = 0;
  const look = () => {
    let together = 0;
    for (const [name, pid] of Object.entries(processes)) {
      const { anonymous, file } = memoryOf(pid);
      together += anonymous / MEBIBYTE;
      const peak = peaks.get(name)!;
      peak.anonymous = Math.max(peak.anonymous, anonymous / MEBIBYTE);
      peak.file = Math.max(peak.file, file / MEBIBYTE);
    }
    memoryTogether = Math.max(memoryTogether, together);
  };
  const timer = setInterval(look, MEMORY_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { memory: Object.fromEntries(peaks), memoryTogether };
    },
  };
}

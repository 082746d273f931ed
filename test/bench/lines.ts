import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { DemoRequest } from '../../deploy/demo/traffic/demo-request.js';
import { demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { type DemoFormat, formatters } from '../../deploy/demo/traffic/formats.js';

/** Log files for the bench: the demo's traffic, condensed to or spread over the requested number of lines. */

export interface LineOptions {
  /** Lines in each file, exactly. */
  count: number;
  seed: string;
  days: number;
  /** Milliseconds since the epoch; no line is later. */
  end: number;
  domain: string;
}

export interface LineFile {
  format: DemoFormat;
  path: string;
  lines: number;
  bytes: number;
}

/**
 * Exactly `count` requests in time order, over all days. Bursts make the generator's volume uneven, so it
 * generates more, and requests are evenly left out.
 */
export function* benchRequests({ count, ...options }: LineOptions): Generator<DemoRequest, void, undefined> {
  // A part of a day may be at night.
  const enough = options.days < 1 ? 6 : 1.15;
  const all = () => demoTraffic({ ...options, requestsPerDay: (enough * count) / options.days + 1_000 });
  let made = 0;
  for (const _ of all()) made++;
  if (made < count) throw new Error(`the generator created ${made} requests instead of ${count}`);
  let index = 0;
  for (const request of all()) {
    const taken = Math.floor((index * count) / made);
    index++;
    if (Math.floor((index * count) / made) > taken) yield request;
  }
}

const CHUNK_LINES = 2_000;

/**
 * Writes the same requests once in each format into `folder`, in one pass and with bounded memory. Files of
 * an earlier run with the same options are reused.
 */
export async function writeLineFiles(
  folder: string,
  formats: readonly DemoFormat[],
  { onWriting = () => {}, ...options }: LineOptions & { readonly onWriting?: () => void },
): Promise<LineFile[]> {
  await mkdir(folder, { recursive: true });
  const { seed, count, days, end, domain } = options;
  const name = `${domain}-${seed}-${count}-${days}d-${end}`;
  const files = formats.map((format) => ({ format, path: join(folder, `${name}.${format}.log`) }));
  const wanted = await filterAsync(files, async ({ path }) => (await sizeOf(path)) === null);
  if (wanted.length > 0) {
    onWriting();
    await writeFiles(wanted, options);
  }
  return Promise.all(
    files.map(async ({ format, path }) => ({ format, path, lines: count, bytes: (await sizeOf(path)) ?? 0 })),
  );
}

async function writeFiles(
  files: readonly { format: DemoFormat; path: string }[],
  options: LineOptions,
): Promise<void> {
  // Renamed when complete, so that an incomplete file is never used.
  const outputs = files.map(({ format, path }) => ({
    format: formatters[format],
    path,
    stream: createWriteStream(`${path}.part`),
  }));
  for (const chunk of chunks(benchRequests(options), CHUNK_LINES)) {
    for (const { format, stream } of outputs) {
      if (!stream.write(`${chunk.map(format).join('\n')}\n`)) await once(stream, 'drain');
    }
  }
  for (const { stream, path } of outputs) {
    stream.end();
    await finished(stream);
    await rename(`${path}.part`, path);
  }
}

function* chunks<Item>(items: Iterable<Item>, size: number): Generator<Item[], void, undefined> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function filterAsync<Item>(items: Item[], keep: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const kept = await Promise.all(items.map(keep));
  return items.filter((_item, index) => kept[index]);
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStatementMaker } from '../../../services/jobs/export-makers/statement-maker.js';
import { storeMade } from '../../../services/jobs/exports/store-made.js';
import type { Export, Website } from '../../../shared/control/domain/model.js';
import { DAY_MS } from '../../../shared/durations.js';
import { openLocalFiles } from '../../../shared/files/local-files.js';
import type { RecommendationInput } from '../../../shared/reads/recommendations/recommendation-input.js';
import { connectClickHouse } from '../../../shared/store/client.js';

/** Runs the jobs service's work for one export in a separate process, to measure its memory. */

export interface FileWanted {
  readonly engineUrl: string;
  /** Limit of a statement. */
  readonly maxMemoryBytes: number;
  readonly websiteId: string;
  /** Milliseconds since the epoch; the export contains the days before it. */
  readonly end: number;
  readonly format: string;
  readonly compression: string;
}

export interface FileFigures {
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Peak memory of the process, bytes. */
  readonly peakBytes: number;
}

const DAYS = 9;
const wanted = JSON.parse(process.argv[2]!) as FileWanted;
const folder = await mkdtemp(join(tmpdir(), 'loglane-bench-exports-'));
const clickhouse = connectClickHouse(wanted.engineUrl, { maxMemoryBytes: wanted.maxMemoryBytes });
try {
  const { websiteId, end, format, compression } = wanted;
  const maker = createStatementMaker({
    clickhouse,
    websiteOf: (id) => ({ id, domain: 'example.com' }) as Website,
    // Required for every export, but the one of requests does not use it.
    recommendationsOf: () => ({}) as RecommendationInput,
    rulesVersion: () => 'bench',
    newId: () => 'bench',
  });
  const asked = {
    id: 'exp_bench',
    websiteId,
    exportType: 'requests',
    filters: '{}',
    question: JSON.stringify({ start: end - DAYS * DAY_MS, end, format, compression }),
  } as Export;
  const store = await openLocalFiles(folder, 'http://localhost');
  const { signal } = new AbortController();
  const begun = performance.now();
  const made = await maker.make(asked, { now: () => end, signal });
  const { rows, bytes } = await storeMade(store, `${websiteId}/exports/exp_bench/1/`, made, {
    signal,
    onBytes: () => {},
    mostBytes: Number.POSITIVE_INFINITY,
  });
  const seconds = (performance.now() - begun) / 1_000;
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1];
  const figures: FileFigures = { rows, bytes, seconds, peakBytes: Number(peak) * 1024 };
  process.stdout.write(JSON.stringify(figures));
} finally {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
}

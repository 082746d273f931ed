import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The data folder of a bench run. Each measurement gets a new folder, and nothing is deleted before the last
 * one has ended. When a kernel creates files beside many just deleted ones, it searches all of these (ext4
 * without a journal).
 */
export interface BenchFolder {
  readonly path: string;
  /** A new and empty folder whose name begins with `name`. */
  fresh(name: string): Promise<string>;
  /** Registers work that removes a measurement's leftovers elsewhere; it runs at the end. */
  atEnd(work: () => Promise<void>): void;
  /** Deletes everything, unless it is to be kept. */
  end(): Promise<void>;
}

/** @param under a folder, created if missing */
export async function makeBenchFolder(under: string, { keep }: { keep: boolean }): Promise<BenchFolder> {
  await mkdir(under, { recursive: true });
  const path = await mkdtemp(join(under, 'loglane-bench-'));
  const works: (() => Promise<void>)[] = [];
  let made = 0;
  return {
    path,
    async fresh(name) {
      const folder = join(path, `${name}-${made++}`);
      await mkdir(folder);
      return folder;
    },
    atEnd: (work) => void works.push(work),
    async end() {
      const ended = await Promise.allSettled(works.map((work) => work()));
      if (!keep) await rm(path, { recursive: true, force: true });
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
  };
}

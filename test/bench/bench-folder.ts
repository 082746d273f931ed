import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where a run of the bench keeps everything. Each measurement has a folder that nothing was ever in, and nothing is deleted before the
 * last of them has ended: a kernel that makes files beside many just deleted ones looks through all of these (ext4 without a journal).
 */
export interface BenchFolder {
  readonly path: string;
  /** A new and empty folder, whose name begins so. */
  fresh(name: string): Promise<string>;
  /** Ends or takes away what a measurement has left outside; done with the rest, at the end. */
  atEnd(work: () => Promise<void>): void;
  /** Deletes everything, unless it is to be kept. */
  end(): Promise<void>;
}

/** @param under a folder, made where it is missing. */
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

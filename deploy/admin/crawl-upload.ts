import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Crawl } from '../../shared/control/domain/model.js';
import type { FileStore } from '../../shared/files/file-store.js';
import type { OpenedFiles } from '../../shared/files/open-file-store.js';
import { uploadFiles } from '../../shared/files/upload-files.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';

export interface CrawlUploadContext extends CommandContext {
  /** null: this installation has no file store. */
  readonly openFiles: () => Promise<OpenedFiles | null>;
}

/** Limit for each file. */
const MOST_BYTES = 2 * 1024 ** 3;

/** `crawl upload`: adds the crawl of another crawler. */
export function addCrawlUpload(crawls: Command, { run, openFiles, print }: CrawlUploadContext): void {
  crawls
    .command('upload')
    .description(
      'uploads the crawl of another crawler: a CSV of Screaming Frog (Internal: All) or of Sitebulb, or a list of URLs',
    )
    .argument('<website>', 'id')
    .argument('<file>', 'CSV, or one URL per line; UTF-8 or UTF-16')
    .option('--links <file>', 'CSV of the links between the pages, such as All Inlinks of Screaming Frog')
    .action(async (websiteId: string, file: string, { links }: { links?: string }) => {
      for (const path of [file, links]) if (path !== undefined) await checkFile(path);
      const opened = await openFiles();
      if (opened === null)
        throw new AdminError('this installation has no file store: set FILES_DIR or S3_BUCKET');
      const { id, status } = await uploadCrawl(
        { run, store: opened.store },
        {
          ...{ websiteId, filename: basename(file), pages: () => createReadStream(file) },
          links: links === undefined ? null : () => createReadStream(links),
        },
      );
      print(`${id} is ${status}: \`crawl list ${websiteId}\` shows when it is ready`);
    });
}

export interface GivenCrawl {
  readonly websiteId: string;
  /** Name for the list of crawls. */
  readonly filename: string;
  readonly pages: () => Readable;
  /** null: there is no file of links. */
  readonly links: (() => Readable) | null;
}

/**
 * Stores the files of a crawl and queues the crawl. If the files can't be stored, the crawl is cancelled.
 * @throws errors of `run`, the file store and the files
 */
export async function uploadCrawl(
  { run, store }: { readonly run: CommandContext['run']; readonly store: FileStore },
  { websiteId, filename, pages, links }: GivenCrawl,
): Promise<Crawl> {
  const crawl = await run({
    type: 'announceCrawlUpload',
    ...{ websiteId, filename, hasLinks: links !== null },
  });
  const keys = uploadFiles(crawl);
  const put = (key: string, bytes: Readable) => store.put(key, bytes, { contentType: 'text/csv' });
  try {
    await put(keys.pages, pages());
    if (links !== null) await put(keys.links, links());
  } catch (error) {
    await run({ type: 'cancelCrawl', websiteId, crawlId: crawl.id });
    throw error;
  }
  return run({ type: 'completeCrawlUpload', crawlId: crawl.id });
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) throw new AdminError(`there is no file ${path}`);
  if (found.size > MOST_BYTES) throw new AdminError(`${path} has more than ${MOST_BYTES} bytes`);
}

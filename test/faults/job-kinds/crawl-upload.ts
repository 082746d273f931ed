import { join } from 'node:path';
import { Readable } from 'node:stream';
import { uploadCrawl } from '../../../deploy/admin/crawl-upload.js';
import { crawlsOf } from '../../../shared/control/crawls/latest-crawl.js';
import { openLocalFiles } from '../../../shared/files/local-files.js';
import { uploadFiles } from '../../../shared/files/upload-files.js';
import { command } from '../job-world.js';
import { crawlResult, wasCrawled } from './crawl.js';
import type { JobKind } from './job-kind.js';

const PAGES = 6_000;

const numbers = Array.from({ length: PAGES }, (_, page) => page);

export const uploadedCrawl: JobKind = {
  name: 'upload of a crawl',
  async begin(world, { id: websiteId, domain }) {
    const url = (page: number) => `https://${domain}/${page === 0 ? '' : page}`;
    const pages = numbers.map((page) => `${url(page)},${page % 50 === 7 ? 404 : 200},Page ${page % 900}\n`);
    const links = numbers.map((page) => `${url(page)},${url((page * 7 + 1) % PAGES)}\n`);
    await uploadCrawl(
      {
        run: (wanted) => command(world, wanted),
        store: await openLocalFiles(world.files, 'https://files.example'),
      },
      {
        ...{ websiteId, filename: 'crawl.csv' },
        pages: () => Readable.from(['Address,Status Code,Title 1\n', ...pages]),
        links: () => Readable.from(['Source,Destination\n', ...links]),
      },
    );
  },
  // A job deletes them within six hours.
  files: async (world, { id }) =>
    crawlsOf(world.control.state(), id).flatMap((one) =>
      Object.values(uploadFiles(one)).map((key) => join(world.files, key)),
    ),
  hasBegun: wasCrawled,
  done: { statuses: ['ready'] },
  result: crawlResult,
};

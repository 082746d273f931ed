import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../../shared/durations.js';
import { EXPORT_MANIFEST } from '../../../shared/files/export-link.js';
import { storeCrawls } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { messagesOf } from './job-results.js';
import { exportFiles, exportsOf, factsOf, readJson, requestExport, wasAttempted } from './stored-files.js';

const EXPORTED = 2_000;

export const exported: JobKind = {
  name: 'export',
  prepare: (world, websites) => storeCrawls(world, websites, EXPORTED),
  begin: (world, website) =>
    requestExport(world, website, {
      exportType: 'requests',
      question: { start: Date.now() - 10 * DAY_MS, end: Date.now() },
    }),
  hasBegun: wasAttempted,
  done: { statuses: ['completed'], messages: ['export sent, came'] },
  files: async (world, website) => exportFiles(world, website, ['', EXPORT_MANIFEST]),
  async result(world, website) {
    const found = exportsOf(world, website);
    const files = await Promise.all(
      found.map(async ({ file }) => {
        if (file === null) return null;
        const path = join(world.files, file.key);
        const facts = await factsOf(path);
        const manifest = await readJson<typeof file>(join(path, '..', EXPORT_MANIFEST));
        const lines = (await readFile(path, 'utf8')).trimEnd().split('\r\n').length;
        return {
          isWhole: facts.sha256 === file.sha256 && facts.bytes === file.bytes,
          matchesRecord:
            manifest.sha256 === facts.sha256 && manifest.rows === file.rows && manifest.bytes === file.bytes,
          rows: [file.rows, lines - 1],
        };
      }),
    );
    const statuses = found.map(({ status }) => status);
    return { statuses, files, messages: await messagesOf(world, website) };
  },
};

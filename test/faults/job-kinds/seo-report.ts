import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportFile } from '../../../shared/control/domain/model.js';
import { REPORT_DAYS, reportWindow, SEO_REPORT } from '../../../shared/control/exports/report-period.js';
import { EXPORT_MANIFEST, REPORT_HTML } from '../../../shared/files/export-link.js';
import { storeCrawls } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { messagesOf } from './job-results.js';
import { exportFiles, exportsOf, factsOf, readJson, requestExport, wasAttempted } from './stored-files.js';

const CRAWLS = 500;

interface Manifest {
  readonly bytes: number;
  readonly sha256: string;
  readonly findings: number;
  readonly html: { readonly bytes: number; readonly sha256: string };
}

export const seoReport: JobKind = {
  name: SEO_REPORT,
  prepare: (world, websites) => storeCrawls(world, websites, CRAWLS),
  begin: (world, website) =>
    requestExport(world, website, {
      exportType: SEO_REPORT,
      question: { ...reportWindow(REPORT_DAYS.usual, Date.now()), prepared_for: 'Whoever reads it' },
    }),
  hasBegun: wasAttempted,
  done: {
    statuses: ['completed'],
    files: [{ isPdf: true, isWhole: true, isPage: true, isWholePage: true, matchesRecord: true }],
    messages: ['export sent, came'],
  },
  files: async (world, website) => exportFiles(world, website, ['', REPORT_HTML, EXPORT_MANIFEST]),
  async result(world, website) {
    const found = exportsOf(world, website);
    return {
      statuses: found.map(({ status }) => status),
      files: await Promise.all(
        found.map(({ file }) => (file === null ? null : storedResult(world.files, file))),
      ),
      messages: await messagesOf(world, website),
    };
  },
};

/** The PDF and the HTML page, compared with the export's record and the manifest. */
async function storedResult(folder: string, { key, bytes, sha256, rows }: ExportFile) {
  const beside = (name: string) => join(folder, key, '..', name);
  const { html, findings, ...fileFacts } = await readJson<Manifest>(beside(EXPORT_MANIFEST));
  const pdf = await factsOf(join(folder, key));
  const text = (await readFile(join(folder, key))).toString('latin1');
  const page = await factsOf(beside(REPORT_HTML));
  const lines = (await readFile(beside(REPORT_HTML), 'utf8')).trim();
  return {
    isPdf: text.startsWith('%PDF-') && text.trimEnd().endsWith('%%EOF'),
    isWhole: pdf.bytes === bytes && pdf.sha256 === sha256,
    isPage: lines.toLowerCase().startsWith('<!doctype html') && lines.endsWith('</html>'),
    isWholePage: page.bytes === html.bytes && page.sha256 === html.sha256,
    matchesRecord: fileFacts.bytes === bytes && fileFacts.sha256 === sha256 && findings === rows,
  };
}

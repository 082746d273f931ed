import { z } from '@hono/zod-openapi';
import { expiryOf, isOf } from '../../../../shared/control/exports/export.js';
import { SEO_REPORT } from '../../../../shared/control/exports/report-period.js';
import { PublicError } from '../../../../shared/errors.js';
import { EXPORT_MANIFEST, linkOfExport, REPORT_HTML } from '../../../../shared/files/export-link.js';
import { websiteRead } from '../../operation/operation.js';
import { booleanParameter } from '../../operation/parameters.js';
import { redirectTo } from '../../operation/reply.js';
import { exportJob, fileStoreOf, NO_SUCH_EXPORT, TAG, toExportJob } from './export.js';

export const downloadExport = websiteRead({
  id: 'downloadExport',
  tag: TAG,
  path: '/exports/{job_id}/download',
  summary: 'Download the file of an export',
  description:
    'Redirects to the file at a signed address, which works without a key until seven days after the export was completed. With `redirect=false` the answer contains the address as JSON. `file=manifest` selects the manifest. The file of a report is its PDF; `file=html` selects its HTML file.',
  plans: 'starter',
  pathParameters: z.object({
    job_id: z
      .string()
      .max(100)
      .openapi({ description: 'Id of the export.', example: 'exp_5dfba9c466412323c1bdf293' }),
  }),
  query: z.object({
    redirect: booleanParameter(
      'false: the answer contains the address as JSON; true (default): the answer redirects to it.',
    ),
    file: z
      .enum(['data', 'html', 'manifest'])
      .default('data')
      .openapi({ description: 'File to download. html: only for reports.' }),
  }),
  replies: [
    { body: 'json', status: 200 },
    { body: 'redirect', status: 302, description: 'To the file.' },
  ],
  missing: NO_SUCH_EXPORT,
  conflict: 'There is no file yet, or there will be none; `code` says which.',
  conflictCodes: ['pending', 'processing', 'failed', 'cancelled'],
  unavailable: 'This installation stores no files.',
  answer: exportJob.extend({
    manifest_url: z.string(),
    html_url: z.string().nullable().openapi({ description: 'HTML file of a report; null for exports.' }),
  }),
  async run({ job_id, redirect = true, file }, { caller, website, services }) {
    const stored = services.control.state().exports.get(job_id);
    if (stored === undefined || stored.websiteId !== website.id || !isOf(stored, caller.apiKey))
      throw new PublicError('not_found', NO_SUCH_EXPORT);
    if (stored.status !== 'completed')
      throw new PublicError('conflict', stored.error ?? 'The file is still being made: retry later.', {
        fields: { code: stored.status },
      });
    const store = fileStoreOf(services);
    const manifest_url = (await linkOfExport(store, stored, EXPORT_MANIFEST))!;
    const isReport = stored.exportType === SEO_REPORT;
    if (file === 'html' && !isReport)
      throw new PublicError('invalid_request', 'file: only a report has an HTML form');
    const html_url = isReport ? await linkOfExport(store, stored, REPORT_HTML) : null;
    const job = await toExportJob(stored, { store, expiry: expiryOf(stored) });
    if (redirect)
      return redirectTo({ data: job.download_url!, html: html_url!, manifest: manifest_url }[file]);
    return { ...job, manifest_url, html_url };
  },
});

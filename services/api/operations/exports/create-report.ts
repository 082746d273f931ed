import { z } from '@hono/zod-openapi';
import {
  REPORT_DAYS,
  type ReportQuestion,
  reportWindow,
  SEO_REPORT,
} from '../../../../shared/control/exports/report-period.js';
import { REPORTS_PER_MONTH } from '../../../../shared/control/exports/report-quota.js';
import { websiteWrite } from '../../operation/operation.js';
import { fileStoreOf, TAG, tooMany } from './export.js';

const { least, most, usual } = REPORT_DAYS;

export const createReport = websiteWrite('post', {
  id: 'createReport',
  tag: TAG,
  path: '/reports/seo',
  summary: 'Request a technical SEO report',
  description: `Writes the findings about crawlers, pages, sitemaps and checks, by their cost, with charts and tables, as a PDF and as one HTML file. The report is made in the background and is listed in the exports with the type \`${SEO_REPORT}\`. Its download returns the PDF, or the HTML file with \`file=html\`. It covers whole UTC days up to the last finished day. An organisation can request ${REPORTS_PER_MONTH} reports a month (UTC). A read-only key is enough, and the request does not count as a write.`,
  plans: 'starter',
  access: 'read',
  bucket: 'requests',
  creates: true,
  replies: [{ body: 'json', status: 201 }],
  ...tooMany,
  unavailable: 'This installation stores no files.',
  bodyOptional: true,
  body: z.object({
    period_days: z
      .int()
      .nullish()
      .openapi({
        description: `Days; default ${usual}. Fewer than ${least} count as ${least}, more than ${most} as ${most}.`,
        example: usual,
      }),
    prepared_for: z
      .string()
      .max(120)
      .nullish()
      .openapi({ description: 'Shown on the cover.', example: 'Acme Inc.' }),
    notify: z.boolean().default(true).openapi({
      description: 'Whether to e-mail the owner of the key at the end; false for scripted use.',
    }),
  }),
  answer: z.object({ job_id: z.string(), status: z.enum(['pending']), message: z.string() }),
  async run(body, { caller, website, services, write, now }) {
    fileStoreOf(services);
    const { notify, ...parameters } = body;
    const window = reportWindow(body.period_days ?? usual, now);
    const question: ReportQuestion = { ...window, prepared_for: body.prepared_for?.trim() || null };
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const { id } = await services.control.execute(
      {
        type: 'requestExport',
        websiteId: website.id,
        apiKeyId: caller.apiKey.id,
        userId: caller.apiKey.userId,
        exportType: SEO_REPORT,
        notify,
        filters: JSON.stringify(parameters),
        question: JSON.stringify(question),
        description: `Technical SEO report, ${day(window.start)} to ${day(window.end - 1)}`,
        mostKeptBytes: services.exportsMaxKeptBytes,
      },
      write,
      // A read-only key is enough: the report is no write and leaves no entry on the timeline.
      null,
    );
    return {
      job_id: id,
      status: 'pending' as const,
      message: `The report is being made. GET /exports shows when it is ready, and GET /exports/${id}/download redirects to its PDF, or with file=html to its HTML file.`,
    };
  },
});

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
  summary: 'Ask for a technical SEO report',
  description: `What was found about crawlers, pages, sitemaps and checks, in the order of what it costs, with charts and tables: a PDF, and the same as one HTML file. Made in the background; it appears in the list of exports with the type \`${SEO_REPORT}\`, and its download gives the PDF, or the page with \`file=html\`. It tells of whole UTC days, up to the last one that is over. An organisation has ${REPORTS_PER_MONTH} a month (UTC); a key that only reads may ask, and it does not count as a write.`,
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
      .openapi({ description: 'Stands on the cover.', example: 'Acme Inc.' }),
    notify: z.boolean().default(true).openapi({
      description: 'An e-mail to the owner of the key when it is over; false for scripted use.',
    }),
  }),
  answer: z.object({ job_id: z.string(), status: z.enum(['pending']), message: z.string() }),
  async run(body, { caller, website, services, write, now }) {
    fileStoreOf(services);
    const { notify, ...asked } = body;
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
        filters: JSON.stringify(asked),
        question: JSON.stringify(question),
        description: `Technical SEO report, ${day(window.start)} to ${day(window.end - 1)}`,
        mostKeptBytes: services.exportsMaxKeptBytes,
      },
      write,
      // A read key may ask: it is no write, and leaves nothing on the timeline.
      null,
    );
    return {
      job_id: id,
      status: 'pending' as const,
      message: `The report is being made. GET /exports tells when it is there, and GET /exports/${id}/download leads to its PDF, with file=html to the page.`,
    };
  },
});

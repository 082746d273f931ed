import { z } from '@hono/zod-openapi';
import { exportTypeOf } from '../../../../shared/reads/exports/all-export-types.js';
import { websiteWrite } from '../../operation/operation.js';
import { refuseUnknownBots } from '../../operation/refuse-unknown-bots.js';
import { refuseUnknownFileTypes } from '../../operation/refuse-unknown-file-types.js';
import { refuseUnknownHosts } from '../../operation/refuse-unknown-hosts.js';
import { refuseOtherBots } from '../../operation/resolve-scope.js';
import { fileStoreOf, TAG, tooMany } from './export.js';
import { exportBody } from './export-body.js';
import { describeExport, readExportBody } from './read-export-body.js';

export const createExport = websiteWrite('post', {
  id: 'createExport',
  tag: TAG,
  path: '/exports',
  summary: 'Request an export',
  description:
    'Writes all rows of a read, with its filters, to a file in the background. The window is fixed at the time of the request: the file contains the rows of that time. In CSV files only, texts that a spreadsheet could run as a formula (beginning with =, +, -, @, a tab or a line break) get a leading apostrophe. Each file has a manifest (rows, digest, filters, window, columns). A filter that the type does not support, or that another field overrides, is ignored and listed in `ignored_filters`. The manifest and the list of exports show the effective filters. sitemap-coverage takes no window: it contains the current state. The number and size of an organisation’s exports are limited.',
  plans: 'starter',
  creates: true,
  replies: [{ body: 'json', status: 201 }],
  ...tooMany,
  unavailable: 'This installation stores no files.',
  body: exportBody,
  answer: z.object({
    job_id: z.string(),
    status: z.enum(['pending']),
    message: z.string(),
    ignored_filters: z.array(z.string()).optional().openapi({
      description:
        'Filters of the request without effect: the type does not support them, or another field overrides them.',
    }),
    warning: z.string().optional(),
  }),
  async run(body, context) {
    const { caller, website, services, write } = context;
    fileStoreOf(services);
    const type = exportTypeOf(body.export_type)!;
    const { question, filters, ignored } = readExportBody(body, type, context);
    refuseOtherBots(question, context);
    await refuseUnknownBots(question, context);
    await refuseUnknownHosts(question, context);
    await refuseUnknownFileTypes({ fileTypes: question.file_types }, question, context);
    const { id } = await services.control.execute(
      {
        type: 'requestExport',
        websiteId: website.id,
        apiKeyId: caller.apiKey.id,
        userId: caller.apiKey.userId,
        exportType: type.name,
        notify: body.notify,
        mostKeptBytes: services.exportsMaxKeptBytes,
        filters: JSON.stringify(filters),
        question: JSON.stringify(question),
        description: describeExport(type, filters, question),
      },
      write,
      `Requested an export: ${type.title}`,
    );
    return {
      job_id: id,
      status: 'pending' as const,
      message: `The file is being made. GET /exports shows when it is ready, and GET /exports/${id}/download redirects to it.`,
      ...(ignored.length === 0
        ? {}
        : {
            ignored_filters: [...ignored],
            warning: `The file ignores ${ignored.join(', ')}: the type ${type.name} does not support ${ignored.length === 1 ? 'it' : 'them'}, or another field overrides ${ignored.length === 1 ? 'it' : 'them'}.`,
          }),
    };
  },
});

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
  summary: 'Ask for an export',
  description:
    'The rows of a read as a file, all of them, with its filters; made in the background. The window is fixed now: each row is there as of the request. Texts that a spreadsheet would carry out as a formula (they begin with =, +, -, @, a tab or a line break) have an apostrophe before them in CSV, and in CSV alone. A manifest lies beside each file (rows, digest, filters, window, columns). A filter that the type does not know, or that another field overrides, is ignored, and named in `ignored_filters`; the manifest and the list name what is in force. sitemap-coverage takes no window: it is of now. One organisation keeps a bounded number and size of exports.',
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
        'Given, but without effect on the file: the type does not know it, or another field overrides it.',
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
      `Asked for an export: ${type.title}`,
    );
    return {
      job_id: id,
      status: 'pending' as const,
      message: `The file is being made. GET /exports tells when it is there, and GET /exports/${id}/download leads to it.`,
      ...(ignored.length === 0
        ? {}
        : {
            ignored_filters: [...ignored],
            warning: `The file is made without ${ignored.join(', ')}: the type ${type.name} does not know ${ignored.length === 1 ? 'it' : 'them'}, or another field overrides ${ignored.length === 1 ? 'it' : 'them'}.`,
          }),
    };
  },
});

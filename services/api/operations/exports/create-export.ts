import { z } from '@hono/zod-openapi';
import { exportTypeOf } from '../../../../shared/exports/list.js';
import { websiteWrite } from '../../operation.js';
import { fileStoreOf, TAG } from './export.js';
import { describeExport, exportBody, readExportBody } from './export-body.js';

export const createExport = websiteWrite('post', {
  id: 'createExport',
  tag: TAG,
  path: '/exports',
  summary: 'Ask for an export',
  description:
    'The rows of a read as a file, all of them, with its filters; made in the background. The window is fixed now: each row is there as of the request. Texts that a spreadsheet would carry out as a formula (they begin with =, +, -, @, a tab or a line break) have an apostrophe before them in CSV, and in CSV alone. A manifest lies beside each file (rows, digest, filters, window, columns). A filter that the type does not know is ignored, and named in `ignored_filters`.',
  plans: 'starter',
  creates: true,
  replies: [{ body: 'json', status: 201 }],
  conflict: 'Too many exports of the website wait or are kept.',
  conflictCodes: ['too_many_open_exports', 'too_many_exports'],
  unavailable: 'This installation stores no files.',
  body: exportBody,
  answer: z.object({
    job_id: z.string(),
    status: z.enum(['pending']),
    message: z.string(),
    ignored_filters: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Given, but not known to the type.' }),
    warning: z.string().optional(),
  }),
  async run(body, context) {
    const { caller, website, services, write } = context;
    fileStoreOf(services);
    const type = exportTypeOf(body.export_type)!;
    const { question, ignored } = readExportBody(body, type, context);
    const { notify, export_type, ...filters } = body;
    const { id } = await services.control.execute(
      {
        type: 'requestExport',
        websiteId: website.id,
        apiKeyId: caller.apiKey.id,
        userId: caller.apiKey.userId,
        exportType: export_type,
        notify,
        filters: JSON.stringify(filters),
        question: JSON.stringify(question),
        description: describeExport(type, body, ignored, question),
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
            warning: `The type ${type.name} does not know ${ignored.join(', ')}: the file is not narrowed by ${ignored.length === 1 ? 'it' : 'them'}.`,
          }),
    };
  },
});

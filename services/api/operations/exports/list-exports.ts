import { z } from '@hono/zod-openapi';
import { expiryOf, exportsOf } from '../../../../shared/control/exports/export.js';
import { websiteRead } from '../../operation/operation.js';
import { pageParameters } from '../../operation/parameters.js';
import { exportJob, TAG, toExportJob } from './export.js';

export const listExports = websiteRead({
  id: 'listExports',
  tag: TAG,
  path: '/exports',
  summary: 'Your exports and reports',
  description:
    'Exports and reports of this website that the caller requested, newest first: with any key of the same user, or with this key if it belongs to no user. They leave the list seven days after they ended.',
  plans: 'starter',
  query: z.object(pageParameters()),
  answer: z.object({
    exports: z.array(exportJob),
    total: z.int().openapi({ description: 'Exports on all pages.' }),
  }),
  async run({ page, page_size }, { caller, website, services }) {
    const ofWebsite = exportsOf(services.control.state(), website.id, caller.apiKey);
    const store = services.files?.store ?? null;
    // Signing a link costs time, so only listed exports get one.
    const ofPage = ofWebsite.slice((page - 1) * page_size, page * page_size);
    return {
      total: ofWebsite.length,
      exports: await Promise.all(ofPage.map((each) => toExportJob(each, { store, expiry: expiryOf(each) }))),
    };
  },
});

import { z } from '@hono/zod-openapi';
import { platforms } from '../../../../shared/control/domain/model.js';
import { arrivedPlatform } from '../../arrivals/arrived-source.js';
import { accountRead } from '../../operation/operation.js';

const website = z
  .object({
    id: z.string(),
    domain: z.string().openapi({ example: 'www.example.com' }),
    name: z.string(),
    created_at: z.iso.datetime(),
    source_type: z.enum(platforms).openapi({
      description:
        'Sender of the uploads of the last 24 hours, if they name one; else the registered source type.',
    }),
  })
  .openapi('Website');

export const listWebsites = accountRead({
  id: 'listWebsites',
  tag: 'Account',
  path: '/websites',
  summary: 'List the websites of the organisation',
  description:
    'All websites that the key can access, oldest first. `count` is their total number, also when max_rows cuts the list.',
  query: z.object({}),
  answer: z.object({ websites: z.array(website), count: z.int() }),
  async run(_input, { caller, now, services }) {
    const websites = services.control.state().websites.by('organisationId', caller.organisation.id);
    return {
      websites: websites.map(({ id, domain, name, createdAt, sourceType }) => ({
        id,
        domain,
        name,
        created_at: createdAt,
        source_type: arrivedPlatform(services.uploads.recent(id, now), sourceType),
      })),
      count: websites.length,
    };
  },
});

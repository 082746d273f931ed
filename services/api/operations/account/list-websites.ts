import { z } from '@hono/zod-openapi';
import { platforms } from '../../../../shared/control/model.js';
import { accountRead } from '../../operation.js';

const website = z
  .object({
    id: z.string(),
    domain: z.string().openapi({ example: 'www.example.com' }),
    name: z.string(),
    created_at: z.iso.datetime(),
    source_type: z.enum(platforms),
  })
  .openapi('Website');

export const listWebsites = accountRead({
  id: 'listWebsites',
  tag: 'Account',
  path: '/websites',
  summary: 'The websites of the organisation',
  description:
    'Every website that the key reaches, oldest first. `count` is their number, whatever max_rows shows.',
  query: z.object({}),
  answer: z.object({ websites: z.array(website), count: z.int() }),
  async run(_input, { caller, services }) {
    const websites = services.control.state().websites.by('organisationId', caller.organisation.id);
    return {
      websites: websites.map(({ id, domain, name, createdAt, sourceType }) => ({
        id,
        domain,
        name,
        created_at: createdAt,
        source_type: sourceType,
      })),
      count: websites.length,
    };
  },
});

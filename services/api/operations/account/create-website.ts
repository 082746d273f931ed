import { z } from '@hono/zod-openapi';
import { MOST_WEBSITES } from '../../../../shared/control/aggregates/organisation-room.js';
import { platforms } from '../../../../shared/control/domain/model.js';
import { PublicError } from '../../../../shared/errors.js';
import { normaliseDomain } from '../../../../shared/urls/normalise-domain.js';
import { guideOfPlatform } from '../../guides/all-guides.js';
import { guideUrl } from '../../guides/public-urls.js';
import { accountWrite } from '../../operation/operation.js';
import { isPrivateName } from './private-name.js';

export const createWebsite = accountWrite({
  id: 'createWebsite',
  tag: 'Account',
  path: '/websites',
  summary: 'Register a website',
  description:
    'Registers a website, creates its ingest key and detects the hosting platform of the domain by DNS. Only this answer contains the ingest key.',
  conflict: `The organisation already has a website with this domain, or ${MOST_WEBSITES} websites.`,
  creates: true,
  body: z.object({
    domain: z.string().max(2048).openapi({
      description: 'Host name; scheme, port and path are stripped.',
      example: 'https://www.example.com/',
    }),
    name: z.string().trim().min(1).max(200).optional().openapi({ description: 'Default: the domain.' }),
    source_type: z
      .enum(platforms)
      .optional()
      .openapi({
        description: `Platform that sends the logs. Default: the detected platform, else ${platforms[0]}.`,
      }),
  }),
  answer: z.object({
    website_id: z.string(),
    domain: z.string(),
    name: z.string(),
    source_type: z.enum(platforms),
    ingest: z.object({
      url: z.url(),
      header: z.literal('X-API-Key'),
      api_key: z.string().openapi({ description: 'Shown only in this answer.', example: 'll_…' }),
    }),
    detected: z.object({
      cdn: z.string().openapi({ example: 'cloudflare' }),
      display_name: z.string().openapi({ example: 'Cloudflare' }),
      compatible: z.boolean().openapi({ description: 'Whether this service accepts logs of this platform.' }),
    }),
    guide_url: z.url().openapi({
      description: 'The guide of the platform; the list of all guides if the platform is unknown.',
    }),
    notes: z.array(z.string()).openapi({
      description: 'Features that do not work for this website, with the reasons; empty if all work.',
    }),
  }),
  async run({ domain, name, source_type }, { caller, services, write }) {
    const normalised = normaliseDomain(domain);
    if ('problem' in normalised) throw new PublicError('invalid_request', `domain: ${normalised.problem}`);
    const platform = await services.detectPlatform(normalised.domain);
    const { website, clearText } = await services.control.execute(
      {
        type: 'createWebsite',
        organisationId: caller.organisation.id,
        domain: normalised.domain,
        sourceType: source_type ?? platform.sourceType,
        ...(name === undefined ? {} : { name }),
      },
      write,
      `Website ${normalised.domain} created`,
    );
    return {
      website_id: website.id,
      domain: website.domain,
      name: website.name,
      source_type: website.sourceType ?? platforms[0],
      ingest: { url: services.urls.ingest, header: 'X-API-Key' as const, api_key: clearText },
      detected: {
        cdn: platform.cdn,
        display_name: platform.displayName,
        compatible: platform.compatible,
      },
      guide_url: guideUrl(services.urls, guideOfPlatform(website.sourceType)),
      notes: notesOn(website.domain),
    };
  },
});

function notesOn(domain: string): string[] {
  if (!isPrivateName(domain)) return [];
  return [
    `${domain} is a private name that is not in the public DNS. Features that use logs work: traffic, bots, SEO and AI reads, alerts, exports. Features that fetch the website do not: robots.txt, sitemaps, crawls and the nightly checks that need a fetch.`,
  ];
}

import { z } from '@hono/zod-openapi';
import {
  aiIntents,
  botCategories,
  deviceTypes,
  referrerClasses,
  trafficClasses,
  verificationMethods,
} from '../../requests/enriched-request.js';

/**
 * One of a few names in the document, plain text in the code: what is stored was named by the enricher, perhaps by the next
 * release's, and a read must not fail for a name that it does not know.
 */
function enumeration(names: readonly string[], description?: string) {
  return z.string().openapi({ enum: [...names], ...(description === undefined ? {} : { description }) });
}

export const botCategory = enumeration(botCategories);
/** Where the request may claim no bot. */
export const botCategoryOrNone = enumeration([...botCategories, ''], 'Empty for requests that claim no bot.');
export const aiIntentOrNone = enumeration(
  [...aiIntents, ''],
  'What an AI crawler fetches for; empty for everything else.',
);
export const trafficClass = enumeration(
  trafficClasses,
  "undeclared_agent: shows a browser's user agent from addresses that an AI operator publishes for its crawlers, fetchers or agents alone, or the website's CDN knows it for a bot.",
);
export const verificationMethodOrNone = enumeration(
  [...verificationMethods, ''],
  'What decided on the bot or agent, or will: published address ranges, the operator’s own network, reverse DNS, or the verdict of the CDN before the website. With ranges and unverifiable: the list was too old to tell. Empty for people, and where nothing can decide.',
);
export const deviceType = enumeration(deviceTypes);
export const referrerClass = enumeration(
  referrerClasses,
  'internal: the website itself. spam: a host of a public list of referrer spam, whose requests hope to be seen in a report.',
);

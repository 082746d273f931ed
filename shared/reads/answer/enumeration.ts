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
 * An enum in the API document, plain text in the code. The enricher names the values, perhaps the next release's enricher, and a read must
 * not fail for an unknown name.
 */
function enumeration(names: readonly string[], description?: string) {
  return z.string().openapi({ enum: [...names], ...(description === undefined ? {} : { description }) });
}

export const botCategory = enumeration(botCategories);
/** Empty if the request claims no bot. */
export const botCategoryOrNone = enumeration([...botCategories, ''], 'Empty for requests that claim no bot.');
export const aiIntentOrNone = enumeration(
  [...aiIntents, ''],
  'The purpose of an AI crawler’s fetches; empty for all other requests.',
);
export const trafficClass = enumeration(
  trafficClasses,
  "undeclared_agent: shows a browser's user agent, but is not a person. Either an AI operator publishes its address only for crawlers, fetchers or agents, or the website's CDN identifies it.",
);
export const verificationMethodOrNone = enumeration(
  [...verificationMethods, ''],
  'The method that decided on the bot or agent, or will decide: published address ranges, the operator’s own network, reverse DNS, or the verdict of the CDN of the website. ranges with unverifiable: the list was too old to decide. Empty for people, and if no method can decide.',
);
export const deviceType = enumeration(deviceTypes);
export const referrerClass = enumeration(
  referrerClasses,
  'internal: the website itself. spam: a host in a public list of referrer spam, whose requests aim to appear in reports.',
);

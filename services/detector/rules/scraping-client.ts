import { leastPagesOf, takesPages } from '../counts/named-addresses.js';
import type { ClientCounts, SpanCounts } from '../counts/span-counts.js';

/** Different paths among its pages: who polls one page is a monitor. */
const LEAST_DISTINCT = 0.3;
const ENOUGH_PATHS = 150;

/** Bots that say what they are, of kinds that a rule of scraping would only repeat. */
const DECLARED = new Set(['search', 'ai', 'seo', 'monitoring', 'social', 'feed', 'archive', 'advertising']);

/** Whether an address takes the website's pages one by one. Never a verified crawler nor an impostor, who has an alert of its own. */
export function isScraping(client: ClientCounts, counts: SpanCounts, minutes: number): boolean {
  if (client.verification === 'verified' || client.verification === 'spoofed') return false;
  if (client.pages < leastPagesOf(minutes)) return false;
  if (!takesPages(client)) return false;
  if (client.paths < Math.min(ENOUGH_PATHS, LEAST_DISTINCT * client.pages)) return false;
  const bot = counts.byBot.find(({ name }) => client.botName !== '' && name === client.botName);
  return bot === undefined || !DECLARED.has(bot.category);
}

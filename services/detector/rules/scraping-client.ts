import type { ClientCounts, SpanCounts } from '../counts/span-counts.js';
import { takesPages } from './takes-pages.js';

/** Pages a minute, kept up through the window: nobody reads so fast. */
const PAGES_A_MINUTE = 8;
/** Of a long window it is enough to have done so for an hour. */
const LONGEST_MINUTES = 60;
/** Different paths among its pages: who polls one page is a monitor. */
const LEAST_DISTINCT = 0.3;
const ENOUGH_PATHS = 150;

/** Bots that say what they are, of kinds that a rule of scraping would only repeat. */
const DECLARED = new Set(['search', 'ai', 'seo', 'monitoring', 'social', 'feed', 'archive', 'advertising']);

/** Pages of an address in a window, from which on it may be a scraper. */
export function leastPagesOf(minutes: number): number {
  return PAGES_A_MINUTE * Math.min(minutes, LONGEST_MINUTES);
}

/** Whether an address takes the website's pages one by one. Never a verified crawler nor an impostor, who has an alert of its own. */
export function isScraping(client: ClientCounts, counts: SpanCounts, minutes: number): boolean {
  if (client.verification === 'verified' || client.verification === 'spoofed') return false;
  if (client.pages < leastPagesOf(minutes)) return false;
  if (!takesPages(client)) return false;
  if (client.paths < Math.min(ENOUGH_PATHS, LEAST_DISTINCT * client.pages)) return false;
  const bot = counts.byBot.find(({ name }) => client.botName !== '' && name === client.botName);
  return bot === undefined || !DECLARED.has(bot.category);
}

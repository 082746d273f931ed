import { PublicError } from '../../../shared/errors.js';
import { shortened } from './input.js';
import type { WebsiteContext } from './operation.js';
import { readBusiestBots, readIsSeenBot } from './seen-crawler.js';

/** The filters by a bot's name. */
export interface NamedBots {
  readonly bot?: string | undefined;
  readonly bot_name?: string | undefined;
  readonly bot_family?: string | undefined;
}

const MOST_LISTED = 20;

/**
 * A mistyped name would give zeros that look like an answer. A name is accepted if the crawler table has it, or if a request of the
 * website claimed it, because names also come from user agents.
 * @throws PublicError invalid_request with the bots of the website; as ClickHouseReader.read
 */
export async function refuseUnknownBots(
  { bot, bot_name, bot_family }: NamedBots,
  { website, services }: WebsiteContext,
): Promise<void> {
  for (const [parameter, name] of Object.entries({ bot, bot_name, bot_family })) {
    if (name === undefined || services.crawlerName(name) !== null) continue;
    if (await readIsSeenBot(services.reader, website.id, name)) continue;
    const seen = await readBusiestBots(services.reader, website.id, MOST_LISTED);
    const visitors =
      seen.length === 0
        ? 'no bot has visited yet'
        : `bots that have visited are ${seen.map(shortened).join(', ')}`;
    throw new PublicError(
      'invalid_request',
      `${parameter}: no known crawler has the name "${shortened(name)}", and no request claimed it; ${visitors}`,
    );
  }
}

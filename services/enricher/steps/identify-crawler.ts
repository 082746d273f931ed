import type { CrawlerIdentity } from '../../../shared/crawlers/table.js';
import type { AiIntent, BotCategory, TrafficClass } from '../../../shared/requests/enriched-request.js';

/** What a user agent's claim says of a request, in the row's own columns. */
export interface BotFields {
  readonly is_bot: boolean;
  /** Class of the claim; a row whose claim is proven false gets spoofed_bot instead. */
  readonly traffic_class: Exclude<TrafficClass, 'spoofed_bot'>;
  readonly bot_name: string;
  readonly bot_variant: string;
  readonly bot_family: string;
  readonly bot_operator: string;
  readonly bot_category: BotCategory | '';
  readonly ai_intent: AiIntent | '';
}

const human: BotFields = Object.freeze({
  is_bot: false,
  traffic_class: 'human',
  bot_name: '',
  bot_variant: '',
  bot_family: '',
  bot_operator: '',
  bot_category: '',
  ai_intent: '',
});

/** The name, family and category stay those of the claim, whether it holds or not. */
export function botFieldsOf(identity: CrawlerIdentity | null): BotFields {
  if (identity === null) return human;
  return {
    is_bot: true,
    traffic_class: trafficClassOf(identity.category),
    bot_name: identity.name,
    bot_variant: identity.variant,
    bot_family: identity.family,
    bot_operator: identity.operator,
    bot_category: identity.category,
    ai_intent: identity.aiIntent ?? '',
  };
}

function trafficClassOf(category: BotCategory): BotFields['traffic_class'] {
  if (category === 'search') return 'search_bot';
  return category === 'ai' ? 'ai_bot' : 'other_bot';
}

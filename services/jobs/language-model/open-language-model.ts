import { type Config, ConfigError } from '../../../shared/config.js';
import { createChatCompletions } from './chat-completions.js';

/**
 * The language model of the configuration; null where it names none: no insights are written.
 * @throws ConfigError where a variable is missing that goes with another.
 */
export function openLanguageModel({
  INSIGHTS_URL: url,
  INSIGHTS_MODEL: model,
  INSIGHTS_API_KEY: apiKey,
}: Pick<Config, 'INSIGHTS_URL' | 'INSIGHTS_MODEL' | 'INSIGHTS_API_KEY'>) {
  if (url === undefined && model === undefined && apiKey === undefined) return null;
  if (url === undefined)
    throw new ConfigError('configuration: INSIGHTS_MODEL, INSIGHTS_API_KEY: need INSIGHTS_URL');
  if (model === undefined) throw new ConfigError('configuration: INSIGHTS_URL: needs INSIGHTS_MODEL');
  return createChatCompletions({ url, model, apiKey });
}

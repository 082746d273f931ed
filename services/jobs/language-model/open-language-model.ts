import { type Config, ConfigError } from '../../../shared/config.js';
import { createChatCompletions } from './chat-completions.js';

/**
 * The configured language model; null: none, and no insights are written.
 * @throws ConfigError if only a part of the variables is set
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

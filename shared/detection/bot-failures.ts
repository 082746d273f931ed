import type { MinuteSignal } from './signal.js';

export type BotFailures = Pick<MinuteSignal, 'botsNotFound' | 'botsOther4xx' | 'bots5xx'>;

export const noBotFailures: BotFailures = { botsNotFound: 0, botsOther4xx: 0, bots5xx: 0 };

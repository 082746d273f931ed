import { crawlerBlocked } from './crawler-blocked.js';
import { crawlerDrop } from './crawler-drop.js';
import { crawlerErrors } from './crawler-errors.js';
import { errorRate } from './error-rate.js';
import { errorSpike5xx } from './error-spike-5xx.js';
import { fakeCrawler } from './fake-crawler.js';
import { hackingProbe } from './hacking-probe.js';
import { latencySpike } from './latency-spike.js';
import { logSilence } from './log-silence.js';
import { newBot } from './new-bot.js';
import { notFoundSpike } from './not-found-spike.js';
import type { Rule } from './rule.js';
import { scraper } from './scraper.js';
import { trafficDrop } from './traffic-drop.js';
import { trafficSpike } from './traffic-spike.js';
import { undeclaredAgent } from './undeclared-agent.js';

/** In order of evaluation: causes before effects, so that a cause inhibits its effects in the same window. */
export const rules: readonly Rule[] = [
  logSilence,
  errorSpike5xx,
  notFoundSpike,
  errorRate,
  latencySpike,
  trafficDrop,
  trafficSpike,
  hackingProbe,
  scraper,
  fakeCrawler,
  undeclaredAgent,
  newBot,
  crawlerBlocked,
  crawlerErrors,
  crawlerDrop,
];

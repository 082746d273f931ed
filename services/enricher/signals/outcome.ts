import {
  isProbedPath,
  isProbingAgent,
  isProbingQuery,
  isTrusted,
  wasRefused,
} from '../../../shared/detection/probes.js';
import { pageTypes } from '../../../shared/queries/served-page.js';
import type { EnrichedBlock } from '../enriched-block.js';

/** What a request counts as, in its minute, for its bot and for its address. */
export interface Outcome {
  readonly isNotFound: boolean;
  readonly isRejected: boolean;
  readonly isServerError: boolean;
  readonly isPage: boolean;
  readonly isProbe: boolean;
}

const pages = new Set<string>(pageTypes);

/** @returns a function that tells the outcome of a row of the block. It changes and returns one object for all rows: do not keep it. */
export function createOutcomeReader({ columns, target, judgement }: EnrichedBlock): (at: number) => Outcome {
  const { status: statuses, texts } = columns;
  const userAgents = texts.user_agent;
  const isPage = onceEach(target.values.length, (place) => pages.has(target.values[place]!.file_type));
  const asksInjection = onceEach(target.values.length, (place) =>
    isProbingQuery(target.values[place]!.query),
  );
  const asksSecret = onceEach(target.values.length, (place) =>
    isProbedPath(target.values[place]!.path, false),
  );
  const asksGuess = onceEach(target.values.length, (place) => isProbedPath(target.values[place]!.path, true));
  const attacks = onceEach(userAgents.texts.length, (place) => isProbingAgent(userAgents.texts[place]!, ''));
  const isTool = onceEach(judgement.values.length, (place) =>
    isProbingAgent('', judgement.values[place]!.bot_name),
  );
  const outcome = {
    isNotFound: false,
    isRejected: false,
    isServerError: false,
    isPage: false,
    isProbe: false,
  };

  function probes(at: number, status: number): boolean {
    const judged = judgement.ids[at]!;
    if (isTrusted(judgement.values[judged]!.bot_verification)) return false;
    if (attacks(userAgents.ids[at]!) || isTool(judged)) return true;
    const place = target.ids[at]!;
    return asksInjection(place) || (wasRefused(status) ? asksGuess(place) : asksSecret(place));
  }

  return (at) => {
    const status = statuses[at]!;
    outcome.isNotFound = status === 404 || status === 410;
    outcome.isRejected = status === 401 || status === 403 || status === 429;
    outcome.isServerError = status >= 500 && status < 600;
    outcome.isPage = isPage(target.ids[at]!);
    outcome.isProbe = probes(at, status);
    return outcome;
  };
}

/** The same question, asked once for each place. */
function onceEach(count: number, ask: (place: number) => boolean): (place: number) => boolean {
  const UNKNOWN = 0;
  const NO = 1;
  const YES = 2;
  const known = new Uint8Array(count);
  return (place) => {
    if (known[place] === UNKNOWN) known[place] = ask(place) ? YES : NO;
    return known[place] === YES;
  };
}

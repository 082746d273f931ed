import {
  isProbedTarget,
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

/** Asked of the value at a place: of the block's targets, judgements or user agents. */
type Question = (block: EnrichedBlock, place: number) => boolean;

const isPage: Question = ({ target }, place) => pages.has(target.values[place]!.file_type);
const asksInjection: Question = ({ target }, place) => isProbingQuery(target.values[place]!.query);
const asksSecret: Question = ({ target }, place) => isProbedTarget(target.values[place]!, false);
const asksGuess: Question = ({ target }, place) => isProbedTarget(target.values[place]!, true);
const attacks: Question = ({ columns }, place) => isProbingAgent(columns.texts.user_agent.texts[place]!, '');
const isTool: Question = ({ judgement }, place) => isProbingAgent('', judgement.values[place]!.bot_name);

/** A question with its answers so far, by place. */
interface Asked {
  readonly ask: Question;
  readonly known: Uint8Array;
}

function asked(ask: Question, places: number): Asked {
  return { ask, known: new Uint8Array(places) };
}

/** Tells outcomes of rows of a block: what is known of its places so far, and one object that is changed for all rows. */
export interface OutcomeReader {
  readonly block: EnrichedBlock;
  readonly isPage: Asked;
  readonly asksInjection: Asked;
  readonly asksSecret: Asked;
  readonly asksGuess: Asked;
  readonly attacks: Asked;
  readonly isTool: Asked;
  readonly outcome: { -readonly [Field in keyof Outcome]: Outcome[Field] };
}

export function createOutcomeReader(block: EnrichedBlock): OutcomeReader {
  const targets = block.target.values.length;
  return {
    block,
    isPage: asked(isPage, targets),
    asksInjection: asked(asksInjection, targets),
    asksSecret: asked(asksSecret, targets),
    asksGuess: asked(asksGuess, targets),
    attacks: asked(attacks, block.columns.texts.user_agent.texts.length),
    isTool: asked(isTool, block.judgement.values.length),
    outcome: {
      isNotFound: false,
      isRejected: false,
      isServerError: false,
      isPage: false,
      isProbe: false,
    },
  };
}

/** The outcome of the row at a place of the reader's block. Nobody keeps it. */
export function outcomeAt(reader: OutcomeReader, at: number): Outcome {
  const { block, outcome } = reader;
  const status = block.columns.status[at]!;
  outcome.isNotFound = status === 404 || status === 410;
  outcome.isRejected = status === 401 || status === 403 || status === 429;
  outcome.isServerError = status >= 500 && status < 600;
  outcome.isPage = answer(reader.isPage, block, block.target.ids[at]!);
  outcome.isProbe = probes(reader, at, status);
  return outcome;
}

function probes(reader: OutcomeReader, at: number, status: number): boolean {
  const { block } = reader;
  const judged = block.judgement.ids[at]!;
  if (isTrusted(block.judgement.values[judged]!.bot_verification)) return false;
  if (answer(reader.attacks, block, block.columns.texts.user_agent.ids[at]!)) return true;
  if (answer(reader.isTool, block, judged)) return true;
  const place = block.target.ids[at]!;
  if (answer(reader.asksInjection, block, place)) return true;
  return wasRefused(status)
    ? answer(reader.asksGuess, block, place)
    : answer(reader.asksSecret, block, place);
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Asks once for each place. */
function answer({ ask, known }: Asked, block: EnrichedBlock, place: number): boolean {
  if (known[place] === UNKNOWN) known[place] = ask(block, place) ? YES : NO;
  return known[place] === YES;
}

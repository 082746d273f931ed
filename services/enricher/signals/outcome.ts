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

/** Asked of the value at a place: of the block's targets, judgements or user agents. */
type Question = (block: EnrichedBlock, place: number) => boolean;

const isPage: Question = ({ target }, place) => pages.has(target.values[place]!.file_type);
const asksInjection: Question = ({ target }, place) => isProbingQuery(target.values[place]!.query);
const asksSecret: Question = ({ target }, place) => isProbedPath(target.values[place]!.path, false);
const asksGuess: Question = ({ target }, place) => isProbedPath(target.values[place]!.path, true);
const attacks: Question = ({ columns }, place) => isProbingAgent(columns.texts.user_agent.texts[place]!, '');
const isTool: Question = ({ judgement }, place) => isProbingAgent('', judgement.values[place]!.bot_name);

/** Tells outcomes of rows of a block: what is known of its places so far, and one object that is changed for all rows. */
export interface OutcomeReader {
  readonly block: EnrichedBlock;
  readonly isPage: Uint8Array;
  readonly asksInjection: Uint8Array;
  readonly asksSecret: Uint8Array;
  readonly asksGuess: Uint8Array;
  readonly attacks: Uint8Array;
  readonly isTool: Uint8Array;
  readonly outcome: { -readonly [Field in keyof Outcome]: Outcome[Field] };
}

export function createOutcomeReader(block: EnrichedBlock): OutcomeReader {
  const targets = block.target.values.length;
  return {
    block,
    isPage: new Uint8Array(targets),
    asksInjection: new Uint8Array(targets),
    asksSecret: new Uint8Array(targets),
    asksGuess: new Uint8Array(targets),
    attacks: new Uint8Array(block.columns.texts.user_agent.texts.length),
    isTool: new Uint8Array(block.judgement.values.length),
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
  outcome.isPage = answer(reader.isPage, isPage, block, block.target.ids[at]!);
  outcome.isProbe = probes(reader, at, status);
  return outcome;
}

function probes(reader: OutcomeReader, at: number, status: number): boolean {
  const { block } = reader;
  const judged = block.judgement.ids[at]!;
  if (isTrusted(block.judgement.values[judged]!.bot_verification)) return false;
  if (answer(reader.attacks, attacks, block, block.columns.texts.user_agent.ids[at]!)) return true;
  if (answer(reader.isTool, isTool, block, judged)) return true;
  const place = block.target.ids[at]!;
  if (answer(reader.asksInjection, asksInjection, block, place)) return true;
  return wasRefused(status)
    ? answer(reader.asksGuess, asksGuess, block, place)
    : answer(reader.asksSecret, asksSecret, block, place);
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Asks each question once for each place. @param known the answers so far, by place */
function answer(known: Uint8Array, ask: Question, block: EnrichedBlock, place: number): boolean {
  if (known[place] === UNKNOWN) known[place] = ask(block, place) ? YES : NO;
  return known[place] === YES;
}

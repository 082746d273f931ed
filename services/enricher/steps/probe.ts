import {
  isProbedTarget,
  isProbingAgent,
  isProbingQuery,
  wasRefused,
} from '../../../shared/detection/probes.js';
import type { EnrichedBlock } from '../block/enriched-block.js';

type ProbedBlock = Pick<EnrichedBlock, 'columns' | 'target' | 'judgement'>;

/** A check of the value at an index: of the block's targets, judgements or user agents. */
type Question = (block: ProbedBlock, place: number) => boolean;

const isInjected: Question = ({ target }, place) => isProbingQuery(target.values[place]!.query);
const isSecret: Question = ({ target }, place) => isProbedTarget(target.values[place]!, false);
const isGuess: Question = ({ target }, place) => isProbedTarget(target.values[place]!, true);
const isAttacking: Question = ({ columns }, place) =>
  isProbingAgent(columns.texts.user_agent.texts[place]!, '');
const isTool: Question = ({ judgement }, place) => isProbingAgent('', judgement.values[place]!.bot_name);

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/**
 * Finds the probes among the rows of a block (shared/detection/probes.ts: `isProbe`). Each check runs once
 * per value, so that the target of a thousand rows is decoded once.
 * @returns for each row: 1 for a probe, else 0
 */
export function probesOf(block: ProbedBlock): Uint8Array {
  const { columns, target, judgement } = block;
  const agents = columns.texts.user_agent;
  const attacking = new Uint8Array(agents.texts.length);
  const tools = new Uint8Array(judgement.values.length);
  const injected = new Uint8Array(target.values.length);
  const secrets = new Uint8Array(target.values.length);
  const guesses = new Uint8Array(target.values.length);
  const probes = new Uint8Array(columns.rows);
  for (let row = 0; row < probes.length; row += 1) {
    const asked = target.ids[row]!;
    const isProbe =
      answer(attacking, isAttacking, block, agents.ids[row]!) ||
      answer(tools, isTool, block, judgement.ids[row]!) ||
      answer(injected, isInjected, block, asked) ||
      (wasRefused(columns.status[row]!)
        ? answer(guesses, isGuess, block, asked)
        : answer(secrets, isSecret, block, asked));
    if (isProbe) probes[row] = 1;
  }
  return probes;
}

function answer(known: Uint8Array, ask: Question, block: ProbedBlock, place: number): boolean {
  if (known[place] === UNKNOWN) known[place] = ask(block, place) ? YES : NO;
  return known[place] === YES;
}

import { ZodError } from 'zod';
import { PublicError } from '../../../shared/errors.js';
import type { Completion, Message, ToolCall, Turn } from '../language-model/language-model.js';
import { cleanText, hasOtherNumbers, MOST_CONTENT } from './clean-text.js';
import { findProblems } from './find-problems.js';
import { createKnownFacts, type KnownFacts } from './known-facts.js';
import { type Assignment, correction, markedAsData, openingMessages, TERMS, WRITE_NOW } from './prompt.js';
import { renderFacts } from './render-facts.js';
import type { Json } from './shorten-answer.js';
import type { Tool, ToolScope } from './tools.js';

/** A conversation with the model, from the first message to the text of an insight. */

/** Reads per insight. */
const MOST_READS = 12;
/** Calls of the model. The last ones have no tools. */
const MOST_TURNS = 10;
/** For one answer; an insight has some hundred words. */
const MOST_TOKENS = 1_500;
/** Bytes of a call's arguments. No tool takes more than two short ones. */
const MOST_ARGUMENTS = 1_024;
const TOO_LARGE = `The arguments are larger than ${MOST_ARGUMENTS} bytes. Tools take a number or a short name: call again with what is needed alone.`;

const TOO_LONG = 'It is too long.';

export interface Conversation {
  readonly ask: (turn: Turn, signal: AbortSignal) => Promise<Completion>;
  readonly assignment: Assignment;
  readonly tools: readonly Tool[];
  readonly scope: ToolScope;
  readonly signal: AbortSignal;
}

export interface Written {
  /** Markdown; null: the model's text was rejected, for these reasons. */
  readonly content: string | null;
  readonly problems: readonly string[];
  /** Names, in the order of their first use. */
  readonly toolsUsed: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** @throws as `ask`, and as the store */
export async function converse({ ask, assignment, tools, scope, signal }: Conversation): Promise<Written> {
  const known = createKnownFacts(TERMS);
  const messages: Message[] = openingMessages(assignment, known);
  const toolsUsed = new Set<string>();
  let [reads, inputTokens, outputTokens, corrected] = [0, 0, 0, false];
  const end = (content: string | null, problems: readonly string[] = []): Written => {
    return { content, problems, toolsUsed: [...toolsUsed], inputTokens, outputTokens };
  };

  async function answerCalls(calls: readonly ToolCall[]): Promise<void> {
    // Each call needs an answer, even if no read is left.
    for (const call of calls) {
      signal.throwIfAborted();
      const result = ++reads > MOST_READS ? { error: WRITE_NOW } : await runTool(call, tools, scope, known);
      if ('shown' in result) toolsUsed.add(call.name);
      const content = 'shown' in result ? markedAsData(result.shown) : result.error;
      messages.push({ role: 'tool', callId: call.id, content });
    }
  }

  for (let turn = 1; turn <= MOST_TURNS; turn++) {
    const mayRead = reads < MOST_READS && turn < MOST_TURNS - 2 && !corrected;
    const completion = await ask({ messages, tools, mayCallTools: mayRead, maxTokens: MOST_TOKENS }, signal);
    inputTokens += completion.usage?.input ?? 0;
    outputTokens += completion.usage?.output ?? 0;
    if (completion.toolCalls.length > 0) {
      messages.push({
        role: 'assistant',
        content: completion.content,
        toolCalls: completion.toolCalls.map(shownAgain),
      });
      await answerCalls(completion.toolCalls);
      continue;
    }
    const { text, content, problems } = toInsight(completion, known, toolsUsed.size > 0);
    if (content !== null) return end(content);
    if (corrected) return end(null, problems);
    corrected = true;
    messages.push({ role: 'assistant', content: text, toolCalls: [] }, correction(problems));
  }
  return end(null, ['It called tools without end.']);
}

/** @returns `text`: the model's text, cleaned; `content`: its insight, null if there are problems */
function toInsight(completion: Completion, known: KnownFacts, hasRead: boolean) {
  const text = cleanText(completion.content);
  const problems = problemsOf(text, completion, { known, hasRead });
  const content = problems.length === 0 ? renderFacts(text, known) : null;
  return content !== null && content.length > MOST_CONTENT
    ? { text, content: null, problems: [TOO_LONG] }
    : { text, content, problems };
}

function problemsOf(
  text: string,
  completion: Completion,
  { known, hasRead }: { readonly known: KnownFacts; readonly hasRead: boolean },
): string[] {
  if (!hasRead) return ['No tool was called: there is nothing that it could rest on.'];
  if (text === '') return ['It is empty.'];
  if (completion.isCut) return [TOO_LONG];
  const others = hasOtherNumbers(completion.content)
    ? ['It has a number character; write references of facts.']
    : [];
  return [...others, ...findProblems(text, known)];
}

const isTooLarge = (given: string) => Buffer.byteLength(given) > MOST_ARGUMENTS;

/** The call in later turns. Oversized arguments are left out, so they cost no tokens. */
function shownAgain(call: ToolCall): ToolCall {
  return isTooLarge(call.arguments) ? { ...call, arguments: '{}' } : call;
}

/** The answer to one call. Every call gets an answer that the model can continue with. */
async function runTool(
  { name, arguments: given }: ToolCall,
  tools: readonly Tool[],
  scope: ToolScope,
  known: KnownFacts,
): Promise<{ readonly shown: NonNullable<Json> } | { readonly error: string }> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    return { error: `There is no such tool. There are: ${tools.map((each) => each.name).join(', ')}.` };
  if (isTooLarge(given)) return { error: TOO_LARGE };
  let parsed: unknown;
  try {
    parsed = given.trim() === '' ? {} : JSON.parse(given);
  } catch {
    return { error: 'The arguments are no JSON.' };
  }
  try {
    const shown = known.show(await tool.read(parsed, scope));
    return shown === null ? { error: 'The answer is too long to be shown.' } : { shown };
  } catch (error) {
    if (error instanceof ZodError) return { error: 'The arguments are not what the tool takes.' };
    if (error instanceof PublicError) return { error: 'That can not be read.' };
    throw error;
  }
}

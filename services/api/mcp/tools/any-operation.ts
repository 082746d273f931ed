import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { visibleLine } from '../../../../shared/visible-text.js';
import { isSent, type Operation } from '../../operation/operation.js';
import { pathParametersOf, queryOf } from '../../operation/routes.js';
import { FRAME_TOKENS, MOST_ANSWER_TOKENS } from '../answer.js';
import { countTokens } from '../count-tokens.js';
import { fenced, type RandomBytes, WARNING } from '../fence.js';
import { shortened } from '../shortened.js';
import { ToolRefusal } from '../tool-refusal.js';
import { suggested } from './arguments.js';
import type { inputs } from './catalogue.js';
import { namedOperation } from './describe-operation.js';
import { findWebsite } from './find-website.js';
import type { ToolContext } from './tool.js';

type CallArgs = z.output<(typeof inputs)['call_operation']>;
type ChangeArgs = z.output<(typeof inputs)['change_operation']>;

export function callOperation(
  args: CallArgs,
  context: ToolContext,
  randomBytes: RandomBytes,
): Promise<CallToolResult> {
  const operation = namedOperation(args.operation, context);
  if (isSent(operation)) throw new ToolRefusal(`${operation.id} changes something: use change_operation.`);
  refuseUnknown(operation, Object.keys(args.parameters ?? {}));
  return run(operation, args, context, randomBytes);
}

/** @throws ToolRefusal for a name that the API would ignore: its answer would be to another question. */
function refuseUnknown(operation: Operation, given: readonly string[]): void {
  const names = [queryOf(operation), pathParametersOf(operation)].flatMap(({ shape }) => Object.keys(shape));
  const wrong = given.filter((name) => name !== 'website_id' && !names.includes(name));
  if (wrong.length > 0)
    throw new ToolRefusal(
      `parameters: ${operation.id} has no ${suggested(wrong, names)}. describe_operation lists its parameters.`,
    );
}

export async function changeOperation(
  args: ChangeArgs,
  context: ToolContext,
  randomBytes: RandomBytes,
): Promise<CallToolResult | InputRequiredResult> {
  const operation = namedOperation(args.operation, context);
  if (!isSent(operation)) throw new ToolRefusal(`${operation.id} only reads: use call_operation.`);
  const { website, parameters, body } = args;
  // Apart, so that no field hides another, and with short texts, so that a long one does not push the others out of the question.
  const details = JSON.stringify(reduced({ website, parameters, body }, asked, { cut: false }));
  const question = context.confirm(`${operation.summary} (${operation.id}): ${details}`);
  if (question !== null) return question;
  return run(operation, args, context, randomBytes);
}

async function run(
  operation: Operation,
  { website, parameters, body }: CallArgs & { body?: ChangeArgs['body'] },
  context: ToolContext,
  randomBytes: RandomBytes,
): Promise<CallToolResult> {
  const { website_id, ...others } = parameters ?? {};
  const ofWebsite = operation.kind === 'website';
  const named = website_id === undefined ? undefined : String(website_id);
  if (website !== undefined && named !== undefined && website !== named)
    throw new ToolRefusal('website and parameters.website_id differ: give one of them.');
  const given = website ?? named;
  const id = ofWebsite ? await findWebsite(given, context) : undefined;
  const { status, json } = await context.call(operation, { ...others, website_id: id }, body);
  const { value, cut } = fitting(json);
  const notes = [
    ...(isSent(operation) ? [`Done: ${operation.id} (HTTP ${status}).`] : []),
    ...(json.data_buffering === true
      ? ['The API still computes this: empty figures are not zero. Repeat the call.']
      : []),
    ...(Array.isArray(json._ignored_parameters)
      ? ['Some parameters had no effect: see _ignored_parameters.']
      : []),
    ...(cut ? ['Long lists and texts are cut. Set limit or page_size, or a narrower filter.'] : []),
  ];
  const lines = [...notes.map((note) => `note: ${note}`), ...fenced([JSON.stringify(value)], randomBytes)];
  const structuredContent = { warning: WARNING, notes, answer: value };
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent };
}

interface Form {
  readonly entries: number;
  readonly characters: number;
}

/** From a generous form to a small one. The last fits any answer of the API. */
const forms = [
  { entries: 100, characters: 300 },
  { entries: 50, characters: 300 },
  { entries: 20, characters: 200 },
  { entries: 10, characters: 150 },
  { entries: 5, characters: 100 },
  { entries: 2, characters: 80 },
  { entries: 1, characters: 40 },
] as const;

/** The form of a change in the question to a person. */
const asked = { entries: 20, characters: 100 };

function fitting(json: unknown): { value: unknown; cut: boolean } {
  for (const form of forms) {
    const state = { cut: false };
    const value = reduced(json, form, state);
    if (form === forms.at(-1) || countTokens(JSON.stringify(value)) <= MOST_ANSWER_TOKENS - FRAME_TOKENS)
      return { value, cut: state.cut };
  }
  throw new Error('there is a last form');
}

const MOST_NAMES = 60;

function reduced(value: unknown, form: Form, state: { cut: boolean }): unknown {
  if (typeof value === 'string') {
    const cleaned = visibleLine(value);
    if (cleaned.length > form.characters) state.cut = true;
    return shortened(cleaned, form.characters);
  }
  if (Array.isArray(value)) {
    if (value.length > form.entries) state.cut = true;
    return value.slice(0, form.entries).map((entry) => reduced(entry, form, state));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > MOST_NAMES) state.cut = true;
  return Object.fromEntries(
    entries
      .slice(0, MOST_NAMES)
      .map(([name, field]) => [shortened(visibleLine(name), 80), reduced(field, form, state)]),
  );
}

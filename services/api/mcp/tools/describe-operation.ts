import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { isSent, type Operation } from '../../operation/operation.js';
import { pathOf } from '../../operation/routes.js';
import type { Answer } from '../answer.js';
import { nearest } from '../nearest.js';
import { ToolRefusal } from '../tool-refusal.js';
import type { inputs } from './catalogue.js';
import { fieldOf } from './read-fields.js';
import type { ApiDocument, ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['describe_operation']>;

const MOST_FOUND = 12;

/** All of its text is ours, so there is no fence. */
export async function describeOperation(
  { find, operation }: Args,
  context: ToolContext,
): Promise<Answer | CallToolResult> {
  if (operation !== undefined) return described(namedOperation(operation, context), context);
  if (find === undefined) throw new ToolRefusal('Set find to some words, or operation to an id.');
  const found = matching(find, [...context.operations.values()]).slice(0, MOST_FOUND);
  return {
    notes: [
      found.length === 0
        ? 'No operation has these words. Try others: export, report, alert, segment, crawl, sitemap, billing, setup.'
        : 'Ask again with operation for its parameters. Then use call_operation for GET, and change_operation for the others.',
    ],
    columns: ['operation', 'method', 'summary', 'needs'],
    rows: found.map((one) => [one.id, one.method.toUpperCase(), one.summary, `${one.access} key`]),
  };
}

/** @throws ToolRefusal with the nearest ids */
export function namedOperation(id: string, { operations }: Pick<ToolContext, 'operations'>): Operation {
  const operation = operations.get(id);
  if (operation !== undefined) return operation;
  const near = nearest(id, [...operations.keys()]);
  throw new ToolRefusal(
    `operation: no such id.${near === null ? '' : ` The nearest is ${near}.`} describe_operation with find lists ids.`,
  );
}

/** Words of the id and the summary count most. */
const weights = [
  [5, (one: Operation) => one.id.replace(/([A-Z])/g, ' $1')],
  [4, (one: Operation) => one.summary],
  [3, (one: Operation) => `${one.tag} ${one.path}`],
  [1, (one: Operation) => one.description],
] as const;

function matching(find: string, operations: readonly Operation[]): Operation[] {
  const words = wordsOf(find);
  const scored = operations.map((operation) => ({ operation, score: scoreOf(words, operation) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

function scoreOf(words: readonly string[], operation: Operation): number {
  let score = 0;
  for (const [weight, textOf] of weights) {
    const own = wordsOf(textOf(operation));
    for (const word of words)
      if (own.some((other) => other.startsWith(word) || word.startsWith(other))) score += weight;
  }
  return score;
}

/** Words of three letters or more without their plural. */
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[a-z\d]+/g) ?? [])
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length >= 3);

function described(operation: Operation, { document }: ToolContext): CallToolResult {
  const paths = new Map(Object.entries(document().paths ?? {}));
  const entry = fieldOf(paths.get(pathOf(operation)), operation.method) as OpenApiOperation;
  const { shape } = isSent(operation) && operation.body !== null ? operation.body : { shape: {} };
  const schema = entry.requestBody?.content['application/json'].schema;
  const body = Object.keys(shape).length === 0 ? null : resolved(schema, document(), MOST_DEPTH);
  const structuredContent = {
    operation: operation.id,
    tool: isSent(operation) ? 'change_operation' : 'call_operation',
    summary: operation.summary,
    description: operation.description,
    needs: `${operation.access} key`,
    parameters: (entry.parameters ?? [])
      .filter(({ name, in: place }) => place !== 'header' && name !== 'website_id')
      .map(parameterOf),
    ...(body !== null && { body }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

const REFERENCE = '#/components/schemas/';
/** Deeper than any body of the API. */
const MOST_DEPTH = 12;

/** With the schemas themselves instead of references, which the model could not follow. */
function resolved(schema: unknown, document: ApiDocument, depth: number): unknown {
  if (depth === 0 || typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => resolved(one, document, depth - 1));
  const reference = fieldOf(schema, '$ref');
  if (typeof reference === 'string')
    return resolved(
      fieldOf(document.components?.schemas, reference.slice(REFERENCE.length)),
      document,
      depth - 1,
    );
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, resolved(value, document, depth - 1)]),
  );
}

interface OpenApiOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Readonly<Record<string, unknown>>;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: unknown } } };
}

const MOST_DESCRIPTION = 160;

function parameterOf({
  name,
  required,
  description,
  schema = {},
}: NonNullable<OpenApiOperation['parameters']>[number]) {
  const { type, enum: values, default: preset, minimum, maximum } = schema;
  const text = (description ?? schema.description) as string | undefined;
  return {
    name,
    ...(required === true && { required }),
    type,
    ...(values !== undefined && { values }),
    ...(preset !== undefined && { default: preset }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(text !== undefined && { description: text.slice(0, MOST_DESCRIPTION) }),
  };
}

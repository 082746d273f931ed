import { z } from '@hono/zod-openapi';
import type { Answer } from '../../../shared/reads/answer/answer.js';
import { toAnswerWindow } from '../../../shared/reads/answer/windows.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import { blockRowsFor, type SegmentRules } from '../../../shared/reads/sql/segment-conditions.js';
import { readsRawRows } from '../../../shared/reads/sql/table-source.js';
import { answerOrBuffer, bufferedSchema, keyOf } from './answer-or-buffer.js';
import { type OperationText, type WebsiteContext, websiteRead } from './operation.js';
import { scopeParameters, type WindowOptions } from './parameters.js';
import { type NamedBots, refuseUnknownBots } from './refuse-unknown-bots.js';
import { refuseUnknownFileTypes } from './refuse-unknown-file-types.js';
import { refuseUnknownHosts } from './refuse-unknown-hosts.js';
import { refuseOtherBots, resolveScope, type ScopeInput } from './resolve-scope.js';

type Shape = z.ZodRawShape;
type Parameters = z.ZodObject<Shape>;

export interface WindowRead<Query extends Shape, AnswerShape extends Shape, Input>
  extends Omit<OperationText, 'answer' | 'pathParameters'> {
  readonly window?: WindowOptions;
  /** The operation's own parameters, besides window and filters. */
  readonly parameters?: z.ZodObject<Query>;
  /** Whether a segment can narrow it (spec §2.1). */
  readonly segment: boolean;
  readonly answer: Answer<AnswerShape, Input>;
  /** Input of the read; default: the parameters. */
  readonly input?: (parameters: z.output<z.ZodObject<Query>>, context: WebsiteContext) => Input;
  /** The part of the input that identifies the question; default: all. It must be equal in a repeat. */
  readonly identityOf?: (input: Input) => unknown;
  /** Always reads raw rows of the whole window. */
  readonly raw?: boolean;
  /**
   * The second half of the answer usually ends within a second. Without a segment it is tried as an everyday read, up to the deadline.
   * Otherwise a caller with the first half waits at most one second.
   */
  readonly quickSecondHalf?: boolean;
  /** Segments that the read evaluates itself; they limit the rows of a block. */
  readonly segmentsOf?: (input: Input) => readonly SegmentRules[];
}

/** Maximum wait for a second half that usually takes longer, after the first half is ready. */
const SECOND_HALF_MS = 1_000;

/**
 * A read of a window, with the filters, possibly a segment, and `data_buffering`. Rollups answer at once. A read of raw rows may
 * continue in the background. Meanwhile, an answer in two halves (`Answer.complete`) returns the first half.
 */
export function windowRead<Query extends Shape, AnswerShape extends Shape, Input>(
  operation: WindowRead<Query, AnswerShape, Input>,
) {
  const {
    window = {},
    parameters,
    segment,
    answer,
    raw = false,
    quickSecondHalf = false,
    input: inputOf,
    identityOf = (input: Input): unknown => input,
    segmentsOf,
    ...text
  } = operation;
  const query: Parameters = z.object({ ...scopeParameters(window, segment), ...parameters?.shape });
  const schema = schemaOf(answer);
  type Answered = z.input<typeof schema>;
  const resolve = (values: object, context: WebsiteContext) => {
    const scope = resolveScope(withoutOwn(values, parameters), context);
    const typedValues = values as z.output<z.ZodObject<Query>>;
    const input =
      inputOf === undefined
        ? (ownParameters(typedValues, parameters) as Input)
        : inputOf(typedValues, context);
    return { scope, input };
  };
  const mayTakeLong = (scope: Scope) => raw || answer.from.some((tables) => readsRawRows(tables, scope));
  return websiteRead<Parameters, typeof schema>({
    ...text,
    query,
    answer: schema,
    reuse(values, context) {
      const { scope, input } = resolve(values as object, context);
      // A long read may have begun for an earlier caller, and its shared answer (slow-reads) is as old as that read. Caching it as new
      // would exceed its maximum age.
      if (mayTakeLong(scope) || answer.complete !== undefined) return null;
      const { end, running = false } = scope.window;
      return { on: [scope.filters, input], until: running ? end : undefined };
    },
    async run(values, context): Promise<Answered> {
      const { scope, input } = resolve(values as object, context);
      refuseOtherBots(values as NamedBots, context);
      await refuseUnknownBots(values as NamedBots, context);
      await refuseUnknownHosts(scope.filters, context);
      await refuseUnknownFileTypes(scope.filters, scope.window, context);
      const segments = [scope.filters.segment ?? [], segmentsOf?.(input) ?? []].flat() as SegmentRules[];
      const wholeTakesLong = mayTakeLong(scope);
      const inHalves = answer.complete !== undefined && !wholeTakesLong;
      const { reader, slowReads } = context.services;
      const window = windowName(values as ScopeInput);
      const question = [operation.id, scope.websiteId, window, scope.filters, identityOf(input)];
      // A finished answer contains both halves.
      const readsFirst = inHalves && !slowReads.isFinished(keyOf(question));
      const firstHalf = readsFirst ? await answer.read(reader, scope, input) : null;
      const answered = await answerOrBuffer(context.services, {
        mayTakeLong: wholeTakesLong || inHalves,
        owner: context.website.organisationId,
        blockRows: blockRowsFor(segments),
        question,
        read: async (reader) => {
          const part = firstHalf ?? (await answer.read(reader, scope, input));
          return answer.complete === undefined ? part : answer.complete(reader, scope, input, part);
        },
        schema: answer.schema,
        knownPart: (firstHalf ?? { window: toAnswerWindow(scope.window) }) as object,
        patienceMs: inHalves && !quickSecondHalf ? SECOND_HALF_MS : undefined,
        mostlyQuick: inHalves && quickSecondHalf && segments.length === 0,
      });
      return answered as Answered;
    },
  });
}

/** A first half that never needs raw rows is always in the answer. */
function schemaOf<AnswerShape extends Shape>({ schema, complete, from }: Answer<AnswerShape, never>) {
  if (complete === undefined) return bufferedSchema(schema);
  if (from.length > 0) return bufferedSchema(schema, undefined, 'either');
  return bufferedSchema(schema, Object.keys(schema.shape), 'secondHalf');
}

/** `hours` stay hours, although their window moves: a repeat is the same question. */
function windowName({ hours, start, end }: ScopeInput): unknown {
  return start !== undefined && end !== undefined ? [start, end] : [hours];
}

/** The common parameters, without those that the operation redefines. */
function withoutOwn(values: object, parameters: Parameters | undefined): ScopeInput {
  const names = new Set(Object.keys(parameters?.shape ?? {}));
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !names.has(name)),
  ) as unknown as ScopeInput;
}

function ownParameters(values: Record<string, unknown>, parameters: Parameters | undefined) {
  const names = new Set(Object.keys(parameters?.shape ?? {}));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

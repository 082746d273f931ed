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
  /** Parameters of the operation's own, beside the window and the filters. */
  readonly parameters?: z.ZodObject<Query>;
  /** Whether a segment narrows it (spec §2.1). */
  readonly segment: boolean;
  readonly answer: Answer<AnswerShape, Input>;
  /** What the answer is read with; default: the parameters. */
  readonly input?: (parameters: z.output<z.ZodObject<Query>>, context: WebsiteContext) => Input;
  /** What of the input names the question; default: all. A repeat must name it alike. */
  readonly named?: (input: Input) => unknown;
  /** It reads raw rows of the whole window, whatever the filters. */
  readonly raw?: boolean;
  /**
   * Whether the second half of the answer mostly ends within a second: without a segment it is tried as an everyday read, and waited for
   * up to the deadline. Else who has the first half to show waits no longer than a second.
   */
  readonly quickSecondHalf?: boolean;
  /** Segments that the read itself evaluates; they bound the rows of a block. */
  readonly segmentsOf?: (input: Input) => readonly SegmentRules[];
}

/** Longest wait for a second half that mostly takes longer, once the first is there. */
const SECOND_HALF_MS = 1_000;

/**
 * A read of a window: it takes the window, the filters and perhaps a segment, and its answer says `data_buffering`. Rollups answer at
 * once; what has to come from raw rows may go on in the background, and of an answer in two halves (`Answer.complete`) the first is told
 * meanwhile.
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
    named = (input: Input): unknown => input,
    segmentsOf,
    ...text
  } = operation;
  const query: Parameters = z.object({ ...scopeParameters(window, segment), ...parameters?.shape });
  const schema = schemaOf(answer);
  type Answered = z.input<typeof schema>;
  const asked = (given: object, context: WebsiteContext) => {
    const scope = resolveScope(withoutOwn(given, parameters), context);
    const own = given as z.output<z.ZodObject<Query>>;
    const input = inputOf === undefined ? (ownParameters(own, parameters) as Input) : inputOf(own, context);
    return { scope, input };
  };
  const mayTakeLong = (scope: Scope) => raw || answer.from.some((tables) => readsRawRows(tables, scope));
  return websiteRead<Parameters, typeof schema>({
    ...text,
    query,
    answer: schema,
    reuse(given, context) {
      const { scope, input } = asked(given as object, context);
      // A long read has begun when another caller asked: its answer is shared there (slow-reads), and as old as that. Kept as of
      // now it would be older than it says.
      if (mayTakeLong(scope) || answer.complete !== undefined) return null;
      const { start, end, running = false } = scope.window;
      return { on: [start, running ? null : end, scope.filters, input], tellsNow: running };
    },
    async run(given, context): Promise<Answered> {
      const { scope, input } = asked(given as object, context);
      refuseOtherBots(given as NamedBots, context);
      await refuseUnknownBots(given as NamedBots, context);
      await refuseUnknownHosts(scope.filters, context);
      await refuseUnknownFileTypes(scope.filters, scope.window, context);
      const segments = [scope.filters.segment ?? [], segmentsOf?.(input) ?? []].flat() as SegmentRules[];
      const wholeTakesLong = mayTakeLong(scope);
      const inHalves = answer.complete !== undefined && !wholeTakesLong;
      const { reader, slowReads } = context.services;
      const window = windowName(given as ScopeInput);
      const question = [operation.id, scope.websiteId, window, scope.filters, named(input)];
      // What is finished holds both halves.
      const readsFirst = inHalves && !slowReads.isFinished(keyOf(question));
      const firstHalf = readsFirst ? await answer.read(reader, scope, input) : null;
      const answered = await answerOrBuffer(context.services, {
        mayTakeLong: wholeTakesLong || inHalves,
        owner: context.website.organisationId,
        blockRows: blockRowsFor(segments),
        question,
        read: async (reader) => {
          const told = firstHalf ?? (await answer.read(reader, scope, input));
          return answer.complete === undefined ? told : answer.complete(reader, scope, input, told);
        },
        schema: answer.schema,
        known: (firstHalf ?? { window: toAnswerWindow(scope.window) }) as object,
        patienceMs: inHalves && !quickSecondHalf ? SECOND_HALF_MS : undefined,
        mostlyQuick: inHalves && quickSecondHalf && segments.length === 0,
      });
      return answered as Answered;
    },
  });
}

/** A first half that no filter sends to the raw rows is always told. */
function schemaOf<AnswerShape extends Shape>({ schema, complete, from }: Answer<AnswerShape, never>) {
  if (complete === undefined) return bufferedSchema(schema);
  if (from.length > 0) return bufferedSchema(schema, undefined, 'either');
  return bufferedSchema(schema, Object.keys(schema.shape), 'secondHalf');
}

/** Hours as hours, though their window moves on: a repeat is the same question. */
function windowName({ hours, start, end }: ScopeInput): unknown {
  return start !== undefined && end !== undefined ? [start, end] : [hours];
}

/** The common parameters: one that the operation takes as its own narrows the answer in the operation's own way. */
function withoutOwn(given: object, parameters: Parameters | undefined): ScopeInput {
  const own = new Set(Object.keys(parameters?.shape ?? {}));
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !own.has(name)),
  ) as unknown as ScopeInput;
}

function ownParameters(given: Record<string, unknown>, parameters: Parameters | undefined) {
  const names = new Set(Object.keys(parameters?.shape ?? {}));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}

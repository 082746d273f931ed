import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { Operation } from '../../operation/operation.js';
import type { Call } from '../call-operation.js';
import type { ToolName } from './catalogue.js';

/** The surroundings of one call of a tool. */
export interface ToolContext {
  readonly tool: ToolName;
  readonly call: Call;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The OpenAPI document. */
  readonly document: () => ApiDocument;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A question to the person, if the client can ask one and has not yet. @throws ToolRefusal if the person said no */
  readonly confirm: (change: string) => InputRequiredResult | null;
  /** Public address; null: there is no console. */
  readonly console: string | null;
}

export interface ApiDocument {
  readonly paths?: Readonly<Record<string, object>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

/** @param id of an operation of this API. */
export function operationOf({ operations }: ToolContext, id: string): Operation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

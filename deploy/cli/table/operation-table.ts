/** The operations of the API as the command line knows them. The build makes the table from the OpenAPI document. */

export type ParameterKind = 'string' | 'integer' | 'number' | 'boolean' | 'json' | 'list';

/** A parameter, or a field of a body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly kind: ParameterKind;
  readonly required: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface CliOperation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  /** With {names}. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly hasBody: boolean;
  /** Fields of the answer that are lists of objects, in the order of the schema. */
  readonly lists: readonly string[];
  /** JSON schema of the answer; references point into `schemas` of the table. */
  readonly answer: unknown;
}

export interface OperationTable {
  readonly operations: readonly CliOperation[];
  readonly schemas: Readonly<Record<string, unknown>>;
}

/** The form in the built file: operations name their parameters by position, since most of them share most parameters. */
export interface PackedTable {
  readonly parameters: readonly Parameter[];
  readonly operations: readonly (Omit<CliOperation, 'parameters'> & {
    readonly parameters: readonly number[];
  })[];
  readonly schemas: Readonly<Record<string, unknown>>;
}

export function unpackTable({ parameters, operations, schemas }: PackedTable): OperationTable {
  return {
    schemas,
    operations: operations.map((operation) => ({
      ...operation,
      parameters: operation.parameters.map((place) => parameters[place]!),
    })),
  };
}

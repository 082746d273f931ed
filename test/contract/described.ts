import { describeApi } from '../../services/api/docs/openapi.js';
import { isSent, type Operation } from '../../services/api/operation/operation.js';
import { pathOf } from '../../services/api/operation/routes.js';
import { operations } from '../../services/api/operations/all-operations.js';

/** The OpenAPI document from a client's view, and requests built only from it. */

type Json = any;

export const document: Json = JSON.parse(
  JSON.stringify(
    describeApi(operations, { base: 'https://api.example', ingest: 'https://ingest.example/v1/logs' }),
  ),
);

export interface Described {
  readonly operation: Operation;
  readonly id: string;
  /** With {names}. */
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Json[];
  /** Schema of the JSON body; null: no body. */
  readonly body: Json | null;
  /** By status. */
  readonly responses: Json;
}

export const described: readonly Described[] = operations.map((operation) => {
  const path = pathOf(operation);
  const { parameters = [], requestBody, responses } = document.paths[path][operation.method];
  return {
    operation,
    id: operation.id,
    path,
    method: operation.method.toUpperCase(),
    parameters,
    body: requestBody === undefined ? null : resolve(requestBody.content['application/json'].schema),
    responses,
  };
});

export const named = described.map((each) => [each.id, each] as const);
export const reads = named.filter(([, { operation }]) => !isSent(operation));
export const writes = named.filter(([, { operation }]) => isSent(operation));
export const ofWebsite = named.filter(([, { operation }]) => operation.kind === 'website');

/** Follows a reference into the document. */
export function resolve(schema: Json): Json {
  if (schema?.$ref === undefined) return schema;
  return resolve(
    schema.$ref
      .slice(2)
      .split('/')
      .reduce((value: Json, name: string) => value[name], document),
  );
}

/** A value that matches the schema: its own example, if it has one. */
export function exampleOf(given: Json): Json {
  const schema = resolve(given);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choice !== undefined) return exampleOf(choice[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name: string) => [name, exampleOf(schema.properties[name])]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  }
}

/** Values that do not match the schema, as text for a query or path. */
export function wrongOnes(given: Json): string[] {
  const schema = resolve(given);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const wrong: string[] = [];
  if (type === 'integer') wrong.push('abc', '1.5', '1e400', '');
  if (type === 'boolean') wrong.push('maybe', '2');
  if (schema.minimum !== undefined) wrong.push(String(schema.minimum - 1));
  if (schema.maximum !== undefined) wrong.push(String(schema.maximum + 1));
  if (schema.enum !== undefined) wrong.push('no-such-value');
  if (schema.format === 'date') wrong.push('yesterday', '2026-02-30');
  if (schema.pattern !== undefined) wrong.push('\u00a7');
  if (schema.maxLength !== undefined) wrong.push('x'.repeat(schema.maxLength + 1));
  return wrong;
}

/** JSON values that do not match the field of a body. */
export function wrongFields(given: Json): unknown[] {
  const schema = resolve(given);
  if (schema.anyOf !== undefined) return wrongFields(schema.anyOf[0]).filter((value) => value !== null);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const wrong: unknown[] = [];
  if (type === 'string') wrong.push(7, true, {}, []);
  if (type === 'integer') wrong.push('7', 1.5);
  if (type === 'array') {
    wrong.push('x', {});
    if (schema.minItems > 0) wrong.push([]);
    if (schema.maxItems !== undefined)
      wrong.push(Array.from({ length: schema.maxItems + 1 }, () => exampleOf(schema.items)));
  }
  if (schema.minLength > 0) wrong.push('');
  if (schema.maxLength !== undefined) wrong.push('x'.repeat(schema.maxLength + 1));
  if (schema.minimum !== undefined) wrong.push(schema.minimum - 1);
  if (schema.maximum !== undefined) wrong.push(schema.maximum + 1);
  if (schema.enum !== undefined) wrong.push('no-such-value');
  if (schema.format === 'date') wrong.push('yesterday', '2026-02-30');
  if (schema.pattern !== undefined) wrong.push('\u00a7');
  return wrong;
}

/** The address of a call. `values` override examples in the path, `query` overrides examples of required query parameters. */
export function addressOf(
  { path, parameters }: Described,
  values: Record<string, string>,
  query = '',
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? parameters.find((parameter) => parameter.name === name)?.schema.example;
    if (value === undefined) throw new Error(`no example of the path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query);
  for (const { name, in: place, required, schema } of parameters)
    if (place === 'query' && required && !search.has(name)) search.set(name, schema.example);
  return search.size === 0 ? address : `${address}?${search}`;
}

import type { CliOperation, PackedTable, Parameter, ParameterKind } from './operation-table.js';

/** Makes the table of operations from the OpenAPI document. Runs in the build and in tests. */

/** JSON of the document, whose form OpenAPI 3.1 gives. */
type Json = any;

export function packDocument(document: Json): PackedTable {
  const parameters: Parameter[] = [];
  const places = new Map<string, number>();
  const placeOf = (parameter: Parameter): number => {
    const text = JSON.stringify(parameter);
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, parameters.length);
    return parameters.push(parameter) - 1;
  };
  const operations = operationsOf(document).map((operation) => ({
    ...operation,
    parameters: operation.parameters.map(placeOf),
  }));
  return { parameters, operations, schemas: withoutExamples(document.components?.schemas ?? {}) };
}

function operationsOf(document: Json): CliOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) =>
      operationOf(document, path, method, described),
    ),
  );
}

function operationOf(document: Json, path: string, method: string, described: Json): CliOperation {
  const body = resolve(document, described.requestBody?.content?.['application/json']?.schema);
  const answer = answerOf(described.responses);
  return {
    id: described.operationId,
    tag: described.tags[0],
    summary: described.summary,
    description: described.description ?? '',
    method: method.toUpperCase(),
    path,
    parameters: [
      ...(described.parameters ?? []).map((parameter: Json) => parameterOf(document, parameter)),
      ...fieldsOf(document, body),
    ],
    hasBody: body !== undefined,
    lists: listsOf(document, answer, path),
    answer: withoutExamples(answer ?? null),
  };
}

function parameterOf(document: Json, { name, in: place, required, description, schema }: Json): Parameter {
  return describe(document, schema, { name, in: place, required: required === true, description });
}

function fieldsOf(document: Json, body: Json): Parameter[] {
  return Object.entries<Json>(body?.properties ?? {}).map(([name, schema]) =>
    describe(document, schema, {
      name,
      in: 'body',
      required: (body.required ?? []).includes(name),
      description: resolve(document, schema).description,
    }),
  );
}

function describe(
  document: Json,
  given: Json,
  { description, ...known }: Pick<Parameter, 'name' | 'in' | 'required'> & { description?: string },
): Parameter {
  const schema = resolve(document, given);
  const { minimum, maximum, enum: choices } = schema;
  const standard = schema.default;
  return {
    ...known,
    kind: kindOf(document, schema),
    description: description ?? '',
    ...(choices !== undefined && {
      choices: choices.filter((choice: unknown) => typeof choice === 'string'),
    }),
    ...(standard !== undefined && { default: standard }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function kindOf(document: Json, schema: Json): ParameterKind {
  const type = [schema.type].flat().find((one) => one !== 'null');
  if (type === 'array') return resolve(document, schema.items).type === 'string' ? 'list' : 'json';
  if (type === 'integer' || type === 'number' || type === 'boolean' || type === 'string') return type;
  return 'json';
}

function answerOf(responses: Json): Json {
  const success = Object.entries<Json>(responses).find(
    ([status, { content }]) => status.startsWith('2') && content?.['application/json'] !== undefined,
  );
  return success?.[1].content['application/json'].schema;
}

/** The list that the path names comes first: `/bots` also has other lists than its bots. */
function listsOf(document: Json, answer: Json, path: string): string[] {
  const schema = resolve(document, answer);
  const parts = [schema, ...(schema?.allOf ?? []).map((part: Json) => resolve(document, part))];
  const main = path.split('/').at(-1)!.replaceAll('-', '_');
  return parts
    .flatMap((part) =>
      Object.entries<Json>(part?.properties ?? {})
        .filter(([, field]) => isListOfObjects(document, resolve(document, field)))
        .map(([name]) => name),
    )
    .sort((one, other) => Number(other === main) - Number(one === main));
}

function isListOfObjects(document: Json, schema: Json): boolean {
  if (![schema.type].flat().includes('array')) return false;
  const items = resolve(document, schema.items);
  return items?.properties !== undefined || items?.allOf !== undefined;
}

function resolve(document: Json, schema: Json): Json {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined
    ? schema
    : resolve(document, new Map<string, Json>(Object.entries(document.components.schemas)).get(name));
}

function withoutExamples(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutExamples);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      // A field may have the name "example": then its value is a schema.
      .filter(([name, value]) => !(name === 'examples' || (name === 'example' && !isSchema(value))))
      .map(([name, value]) => [name, withoutExamples(value)]),
  );
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || '$ref' in value);
}

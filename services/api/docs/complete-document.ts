import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldTexts } from './field-texts.js';

/** Additions to the document besides the operations' schemas: texts of common fields, and examples of answers. */

/** Recorded from a running program by test/examples/record.ts. */
export const EXAMPLES_FOLDER = fileURLToPath(new URL('./examples/', import.meta.url));

type Json = unknown;
type JsonObject = Record<string, Json>;

/** An example of a successful answer, by operation id. */
export function readExamples(folder = EXAMPLES_FOLDER): ReadonlyMap<string, Json> {
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/** @param document JSON; changed in place. */
export function completeDocument<Document extends object>(
  document: Document,
  examples: ReadonlyMap<string, Json>,
): Document {
  completeSchemas(document as JsonObject);
  const { paths } = document as { paths?: Record<string, Record<string, JsonObject>> };
  for (const methods of Object.values(paths ?? {}))
    for (const operation of Object.values(methods)) {
      addExample(operation, examples);
      closeBody(operation, document as JsonObject);
    }
  return document;
}

function addExample({ operationId, responses }: JsonObject, examples: ReadonlyMap<string, Json>): void {
  const example = examples.get(operationId as string);
  if (example === undefined) return;
  for (const [status, response] of Object.entries(responses as Record<string, JsonObject>)) {
    const json = (response.content as Record<string, JsonObject> | undefined)?.['application/json'];
    if (status.startsWith('2') && json !== undefined) json.example = example;
  }
}

/** A body allows only the described fields (input.ts). An answer may get new fields. */
function closeBody({ requestBody }: JsonObject, document: JsonObject): void {
  const content = (requestBody as JsonObject | undefined)?.content as Record<string, JsonObject> | undefined;
  const schema = content?.['application/json']?.schema as JsonObject | undefined;
  if (schema === undefined) return;
  const closed = typeof schema.$ref === 'string' ? componentOf(document, schema.$ref) : schema;
  closed.additionalProperties = false;
}

/** @param reference `#/components/schemas/…` */
function componentOf(document: JsonObject, reference: string): JsonObject {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> };
  return new Map(Object.entries(schemas)).get(reference.slice(reference.lastIndexOf('/') + 1))!;
}

const isOf = (name: string, { type }: JsonObject) =>
  type === name || (Array.isArray(type) && type.includes(name));

/** Adds texts of common fields, and the format of numbers. */
function completeSchemas(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as JsonObject;
  // Generators take a number without a format for one of 32 bits.
  if (isOf('number', schema)) schema.format ??= 'double';
  const { properties } = schema;
  for (const child of Object.values(value)) completeSchemas(child);
  if (typeof properties !== 'object' || properties === null) return;
  for (const [name, field] of Object.entries(properties as Record<string, JsonObject>)) {
    if (typeof field !== 'object' || field === null || !isOf('integer', field)) continue;
    const text = fieldTexts.get(name);
    if (field.description === undefined && text !== undefined) field.description = text;
  }
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { answerOf, pathOf, pathParametersOf, queryOf } from '../operation/routes.js';
import { operations } from '../operations/all-operations.js';
import { readExamples } from './complete-document.js';
import { describeApi } from './openapi.js';

const document = describeApi(operations, { base: 'https://api.example', ingest: 'https://ingest.example' });

type Json = any;
const json: Json = JSON.parse(JSON.stringify(document));

const described = Object.entries(json.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Json).map(([method, operation]) => ({
    path,
    method,
    operation: operation as Json,
  })),
);

/** Every object in the document, with its path. */
function* objects(value: Json, at = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [at, value];
  for (const [name, field] of Object.entries(value)) yield* objects(field, `${at}/${name}`);
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 of version 1, at the configured address, behind a bearer key', () => {
    expect(json.openapi).toBe('3.1.0');
    expect(json.info).toMatchObject({ title: 'Loglane API', version: '1' });
    expect(json.servers).toEqual([{ url: 'https://api.example' }]);
    expect(json.security).toEqual([{ apiKey: [] }]);
    expect(json.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('begins with sections for new users, links to the guides, and ends with billing', () => {
    expect(json.info.description).toContain('**Start here**');
    expect(json.info.description).toContain('(https://api.example/public/v1/docs/guides)');
    expect(json.externalDocs.url).toBe('https://api.example/public/v1/docs/guides');
    const tags = json.tags.map(({ name }: Json) => name);
    expect(tags.slice(0, 4)).toEqual(['Account', 'Setup', 'Traffic', 'Recommendations']);
    expect(tags.at(-1)).toBe('Billing');
    expect(tags).toHaveLength(new Set(operations.map(({ tag }) => tag)).size);
    for (const [, path] of json.info.description.matchAll(/`(?:GET|POST) …(\/[^`]+)`/g))
      expect(Object.keys(json.paths)).toContain(`/public/v1/websites/{website_id}${path}`);
  });

  it('describes every operation once', () => {
    expect(described.map(({ path, method }) => `${method} ${path}`).sort()).toEqual(
      operations.map((operation) => `${operation.method} ${pathOf(operation)}`).sort(),
    );
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(operations.length);
  });

  it.each(described.map(({ operation, path }) => [operation.operationId, operation, path] as const))(
    '%s has text, a tag, a schema for its answer and for every refusal',
    (_id, operation, path) => {
      expect(operation.summary).toMatch(/\w/);
      expect(operation.description).toMatch(/\w/);
      expect(operation.tags).toHaveLength(1);
      expect(json.tags.map(({ name }: Json) => name)).toContain(operation.tags[0]);
      const [success] = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      expect(operation.responses[success!].content['application/json'].schema).toBeTypeOf('object');
      const refusals = ['400', '401', '403', '500', '503', ...(path.includes('{website_id}') ? ['404'] : [])];
      for (const status of refusals) {
        expect(operation.responses[status].content['application/json'].schema).toEqual({
          $ref: '#/components/schemas/Error',
        });
      }
    },
  );

  it.each(described.map(({ operation }) => [operation.operationId, operation] as const))(
    '%s documents the hourly limit: in a 429, and in headers wherever the organisation is known',
    (_id, operation) => {
      expect(operation.responses['429'].content['application/json'].schema).toEqual({
        $ref: '#/components/schemas/RateLimitError',
      });
      const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
      for (const [status, { headers }] of Object.entries<Json>(operation.responses)) {
        const shown = Object.keys(headers ?? {}).filter((name) => name.startsWith('X-RateLimit'));
        expect(shown, status).toEqual(status === '401' ? [] : names);
      }
    },
  );

  it.each(described.map(({ operation, path }) => [operation.operationId, operation, path] as const))(
    '%s describes each parameter, and every one of its path',
    (_id, operation, path) => {
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.schema.type, parameter.name).toBeDefined();
        expect(parameter.description ?? parameter.schema.description, parameter.name).toMatch(/\w/);
      }
      const inPath = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'path');
      expect(inPath.map(({ name }: Json) => name).sort()).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      );
      expect(inPath.every(({ required }: Json) => required === true)).toBe(true);
    },
  );

  it('gives only examples that the operation accepts', () => {
    let examples = 0;
    for (const { path, method, operation } of described) {
      const own = operations.find((each) => pathOf(each) === path && each.method === method)!;
      for (const { name, schema, in: place } of operation.parameters ?? []) {
        if (schema.example === undefined) continue;
        const shape = place === 'path' ? pathParametersOf(own).shape : queryOf(own).shape;
        expect(shape[name]?.safeParse(String(schema.example)).error, `${own.id} ${name}`).toBeUndefined();
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(10);
  });

  it('has only examples that match their own schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    let examples = 0;
    for (const [at, schema] of objects(json)) {
      if (schema.example === undefined || schema.type === undefined) continue;
      const holds = ajv.compile({ ...schema, components: json.components });
      expect(holds(schema.example), `${at}: ${JSON.stringify(schema.example)}`).toBe(true);
      examples += 1;
    }
    expect(examples).toBeGreaterThan(30);
  });

  it('has only example bodies that the operation accepts', () => {
    for (const own of operations) {
      if (own.method === 'get' || own.body === null) continue;
      for (const [name, field] of Object.entries(own.body.shape)) {
        const { example } =
          json.paths[pathOf(own)][own.method].requestBody.content['application/json'].schema.properties?.[
            name
          ] ?? {};
        if (example !== undefined)
          expect((field as Json).safeParse(example).error, `${own.id} ${name}`).toBeUndefined();
      }
    }
  });

  it('offers an Idempotency-Key on exactly the POSTs that create', () => {
    const offering = described.filter(({ operation }) =>
      (operation.parameters ?? []).some(({ name }: Json) => name === 'Idempotency-Key'),
    );
    expect(offering.every(({ method }) => method === 'post')).toBe(true);
    expect(offering.map(({ operation }) => operation.operationId).sort()).toEqual([
      'addSegmentLibrary',
      'createExport',
      'createReport',
      'createSegment',
      'createSiteEvent',
      'createWebsite',
      'runCrawl',
      'startCheckout',
      'startTrial',
    ]);
  });

  it('closes every body but no answer, because answers may get fields', () => {
    const bodies = described.flatMap(({ operation }) => operation.requestBody ?? []);
    expect(bodies.length).toBeGreaterThan(5);
    const resolved = (schema: Json) =>
      schema.$ref === undefined ? schema : json.components.schemas[schema.$ref.split('/').at(-1)];
    for (const { content } of bodies)
      expect(resolved(content['application/json'].schema).additionalProperties).toBe(false);
    for (const { operation } of described)
      for (const [at, schema] of objects(operation.responses)) {
        if (schema.$ref?.startsWith('#/components/headers/')) continue;
        expect(
          schema.$ref === undefined ? schema.additionalProperties : resolved(schema).additionalProperties,
          at,
        ).not.toBe(false);
      }
  });

  it('offers max_rows on every read and on no write', () => {
    for (const { method, operation } of described) {
      const names = (operation.parameters ?? []).map(({ name }: Json) => name);
      expect(names.includes('max_rows')).toBe(method === 'get');
    }
  });

  it('has only references to its own parts', () => {
    const references = [...objects(json)].flatMap(([at, value]) =>
      typeof value.$ref === 'string' ? [{ at, target: value.$ref as string }] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    for (const { at, target } of references) {
      const found = target
        .slice(2)
        .split('/')
        .reduce((value: Json, name) => value?.[name], json);
      expect(found, `${at} → ${target}`).toBeDefined();
    }
  });

  it('uses no keyword of OpenAPI 3.0 that 3.1 dropped', () => {
    for (const [at, value] of objects(json)) {
      if (at.endsWith('/properties')) continue;
      expect(value, at).not.toHaveProperty('nullable');
      expect(typeof value.exclusiveMinimum, at).not.toBe('boolean');
    }
  });

  it('refers to no internal document', () => {
    for (const [at, value] of objects(json))
      for (const [name, text] of Object.entries(value))
        if (typeof text === 'string') expect(text, `${at}/${name}`).not.toMatch(/spec §|§\s?\d/);
  });

  /** The fields of every object, with their paths. */
  const fields = [...objects(json)].flatMap(([at, { properties }]) =>
    typeof properties !== 'object' || at.endsWith('/properties')
      ? []
      : Object.entries<Json>(properties).map(([name, field]) => ({ at: `${at}/${name}`, name, field })),
  );
  const isOf = (type: string, field: Json) => [field?.type].flat().includes(type);

  it('describes every whole number', () => {
    const whole = fields.filter(({ field }) => isOf('integer', field));
    expect(whole.length).toBeGreaterThan(100);
    expect(whole.filter(({ field }) => !field.description).map(({ at }) => at)).toEqual([]);
  });

  it('allows fractions only for shares, changes, rates, means, spreads, scores, money and durations', () => {
    const fraction =
      /(_pct|_pp|_ms|_share|_coverage|_percentage|_hours|_per_visit|_per_page|_rate|_days|_secs|_avg|score|position|pagerank)$|^(hours|ctr|revenue|percentage|pct_of_crawl|days_in_period|current|baseline_mean|baseline_std|value|lower|upper)$/;
    const broken = fields.filter(({ name, field }) => isOf('number', field) && !fraction.test(name));
    expect(broken.map(({ at }) => at)).toEqual([]);
  });

  it('states for every bot_requests whether it contains undeclared agents', () => {
    const named = fields.filter(({ name }) => name === 'bot_requests');
    expect(named.length).toBeGreaterThan(3);
    for (const { at, field } of named) expect(field.description, at).toContain('undeclared agents');
  });

  it('states for every crawler filter that unclaimed names are refused', () => {
    const filters = described.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter(({ name }: Json) => /^bot(_name|_family)?$/.test(name))
        // It is refused with the families that there are.
        .filter(() => operation.operationId !== 'getPageImportance')
        .filter((parameter: Json) => parameter.in === 'query')
        .map((parameter: Json) => [`${operation.operationId} ${parameter.name}`, parameter.description]),
    );
    expect(filters.length).toBeGreaterThan(20);
    for (const [at, text] of filters)
      expect(text, at).toContain('no request of the website claimed is refused');
  });

  it('documents the start of the data with the window of every count', () => {
    const shapes = operations.map((operation) => ({
      id: operation.id,
      names: Object.keys((answerOf(operation) as { shape?: object }).shape ?? {}),
    }));
    // These reads list single requests, alerts or recommendations; no figure covers the whole window. Health and connected sources report their own days.
    const lists = new Set([
      'searchRequests',
      'getIpRequests',
      'listAlerts',
      'getHealthHistory',
      'getSearchPerformance',
      'getGaOverview',
      'getGaPages',
    ]);
    const isList = (id: string) => lists.has(id) || /Recommendation/.test(id);
    const windowed = shapes.filter(({ id, names }) => names.includes('window') && !isList(id));
    expect(windowed.length).toBeGreaterThan(20);
    expect(windowed.filter(({ names }) => !names.includes('data_since')).map(({ id }) => id)).toEqual([]);
  });

  it('allows null wherever it documents null: next to a reference, null must be an alternative', () => {
    const contradictions = [...objects(json)].filter(
      ([, { allOf }]) =>
        Array.isArray(allOf) && allOf.some(({ type }: Json) => Array.isArray(type) && type.includes('null')),
    );
    expect(contradictions.map(([at]) => at)).toEqual([]);
  });

  it('lets a use, not a component, allow null: otherwise every use would', () => {
    const nullable = Object.entries<Json>(json.components.schemas).filter(([, schema]) =>
      isOf('null', schema),
    );
    expect(nullable.map(([name]) => name)).toEqual([]);
  });

  it('gives every number the format of 64 bits', () => {
    const narrow = [...objects(json)].filter(
      ([, value]) => isOf('number', value) && value.format !== 'double',
    );
    expect(narrow.map(([at]) => at)).toEqual([]);
  });

  it('lists the codes of every conflict with codes', () => {
    const codes = [...objects(json)].filter(([at]) => /\/responses\/409\/.*\/properties\/code$/.test(at));
    expect(codes.length).toBeGreaterThan(3);
    for (const [at, schema] of codes) expect(schema.enum?.length, at).toBeGreaterThan(0);
    for (const { operation } of described) {
      const schema = operation.responses['409']?.content['application/json'].schema;
      // Codes in a text are codes of the list.
      for (const [, named] of operation.responses['409']?.description.matchAll(/`code` (\w+)/g) ?? [])
        if (named !== 'says') expect(JSON.stringify(schema), named).toContain(`"${named}"`);
    }
  });
});

describe('the example of an answer', () => {
  const examples = readExamples();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.each(described.map(({ operation }) => [operation.operationId, operation] as const))(
    'of %s exists and matches the answer of the operation',
    (id, operation) => {
      const answers = Object.entries<Json>(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, response]) => response.content['application/json']);
      for (const { schema, example } of answers) {
        expect(example, id).toBeDefined();
        const holds = ajv.compile({ ...schema, components: json.components });
        expect(holds(example) ? null : holds.errors).toBeNull();
        // Also no fields outside the schema: a removed field would stay in the example.
        const own = operations.find((each) => each.id === id)!;
        expect(answerOf(own).parse(example)).toEqual(example);
      }
    },
  );

  it('belongs to an operation', () => {
    expect([...examples.keys()].filter((id) => !operations.some((each) => each.id === id))).toEqual([]);
  });

  it('contains neither a key nor an address of this machine', () => {
    expect(JSON.stringify([...examples])).not.toMatch(/\bll(api)?_\w|127\.0\.0\.1|localhost/);
  });
});

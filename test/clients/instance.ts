import { startContractWorld } from '../contract/contract-world.js';
import { type Described, exampleOf } from '../contract/described.js';
import { callsIn } from '../contract/prepared-calls.js';
import { startTestService } from '../harness/api-service.js';

/** A running instance in which every operation has something to answer, and calls of it for generated clients. */
export interface Instance {
  readonly url: string;
  /** Reads the website with data. */
  readonly key: string;
  callOf(one: Described): Promise<ClientCall>;
  stop(): Promise<void>;
}

/** One call, in values of JSON. */
export interface ClientCall {
  readonly id: string;
  /** The path with {names}. */
  readonly template: string;
  readonly key: string;
  readonly path: Record<string, unknown>;
  /** Required parameters, and those with a default. */
  readonly query: Record<string, unknown>;
  readonly body?: unknown;
}

export async function startInstance(): Promise<Instance> {
  const world = await startContractWorld();
  const prepare = callsIn(world);
  const api = await startTestService(world.test);
  const url = `http://127.0.0.1:${api.port}`;
  return {
    url,
    key: world.test.keys.read,
    async callOf(one) {
      const { path, query, body, key } = await prepare(one);
      const given = one.parameters.filter(
        (parameter) => parameter.required || parameter.schema.default !== undefined,
      );
      const valuesIn = (place: string) =>
        Object.fromEntries(
          given
            .filter((parameter) => parameter.in === place)
            .map(({ name, schema }) => [name, exampleOf(schema)]),
        );
      return {
        id: one.id,
        template: one.path,
        key,
        path: { ...valuesIn('path'), ...pick(path, one) },
        query: { ...valuesIn('query'), ...query },
        ...(body === undefined ? {} : { body }),
      };
    },
    async stop() {
      await api.stop();
      await world.stop();
    },
  };
}

/** Values for parameters of the operation's path. */
function pick(values: Record<string, string>, { path }: Described): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => path.includes(`{${name}}`)));
}

/** Points in time as numbers, since languages write them differently. */
export function withoutTimeFormats(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_name, value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : value,
  );
}

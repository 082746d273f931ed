import { StoreUnavailableError } from './store-errors.js';

/** Statements of one read. They return the name of the executing server, since a load balancer may distribute them. */
export interface CaughtUpStatements<Answer> {
  /** Makes the executing server wait until it has every acknowledged row of the table. @returns its name */
  catchUp(table: string): Promise<string>;
  ask(): Promise<{ readonly server: string; readonly answer: Answer }>;
}

/**
 * Each round queries once more than the one before. Then no round-robin order of a load balancer hits the lagging
 * server every time.
 */
const MOST_TURNS = 8;

/**
 * Returns the answer of a server that had caught up with these tables. An insert is acknowledged when most replicas
 * have it (`insert_quorum`), but a read may reach one that does not. `select_sequential_consistency` would refuse such
 * a replica. It requires `insert_quorum_parallel = 0`, which allows one insert per table at a time and refuses the
 * others. So the server catches up first, and the answering server must be one that did.
 * @throws StoreUnavailableError if no caught-up server answers
 */
export async function readCaughtUp<Answer>(
  tables: readonly string[],
  { catchUp, ask }: CaughtUpStatements<Answer>,
): Promise<Answer> {
  const serversByTable = tables.map((table) => ({ table, servers: new Set<string>() }));
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    for (const { table, servers } of serversByTable) servers.add(await catchUp(table));
    for (let asked = 0; asked < turn; asked += 1) {
      const { server, answer } = await ask();
      if (serversByTable.every(({ servers }) => servers.has(server))) return answer;
    }
  }
  throw new StoreUnavailableError('no caught-up replica of ClickHouse answers');
}

/** Name of the server: its `display_name`, by default its host. */
export function serverOf({
  response_headers,
}: {
  response_headers: Readonly<Record<string, unknown>>;
}): string {
  return String(response_headers['x-clickhouse-server-display-name']);
}

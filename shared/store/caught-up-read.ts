import { StoreUnavailableError } from './store-errors.js';

/** Statements of one read, and the names of the servers that carried them out: a load balancer may send each to another one. */
export interface CaughtUpStatements<Answer> {
  /** Has whichever server takes the statement wait until it has all of the table that any replica has acknowledged. @returns its name */
  catchUp(table: string): Promise<string>;
  ask(): Promise<{ readonly server: string; readonly answer: Answer }>;
}

/**
 * In each turn the answer is asked for once more than in the one before, so that no order in which a balancer goes round its servers meets
 * the one that has not caught up each time.
 */
const MOST_TURNS = 8;

/**
 * The answer of a server that had caught up with these tables. An insert is acknowledged when most replicas have it (`insert_quorum`), and a read
 * may go to one that has not. `select_sequential_consistency` would refuse such a replica, but it wants `insert_quorum_parallel = 0`, with which a table takes
 * one insert at a time and refuses the others. So the server catches up first, and who answered is held against who caught up.
 * @throws StoreUnavailableError where none answers that has caught up
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
  throw new StoreUnavailableError('no replica of ClickHouse answers that has caught up with the others');
}

/** Each server names itself so, by its `display_name`: by default its host. */
export function serverOf({
  response_headers,
}: {
  response_headers: Readonly<Record<string, unknown>>;
}): string {
  return String(response_headers['x-clickhouse-server-display-name']);
}

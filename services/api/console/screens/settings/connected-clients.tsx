import { useEffect, useState } from 'preact/hooks';
import { callConsole, type Outcome } from '../../api/read.js';
import { day, logText, NOT_KNOWN } from '../../format.js';
import { ConfirmButton } from '../../parts/action.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { Notice, problemNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

interface ConnectedClient {
  readonly id: string;
  readonly name: string;
  readonly scope: 'read' | 'read_write';
  readonly user: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly can_revoke: boolean;
}

const column = columnsOf<ConnectedClient>();

/** Clients of the MCP server that people of the organisation allowed. */
export function ConnectedClients() {
  const [read, setRead] = useState<Outcome<{ connections: ConnectedClient[] }> | null>(null);
  const [failure, setFailure] = useState<ReturnType<typeof problemNotice> | null>(null);
  const load = () =>
    void callConsole<{ connections: ConnectedClient[] }>('console/connections').then(setRead);
  useEffect(load, []);
  const revoke = async (id: string) => {
    const outcome = await callConsole('console/connections/revoke', { id });
    setFailure(outcome.kind === 'answer' ? null : problemNotice(outcome));
    load();
  };
  return (
    <Panel title="Connected clients" caption="of the MCP server, allowed by people of this organisation">
      <Notice notice={failure} />
      {read === null ? (
        <p class="empty">Reading …</p>
      ) : read.kind !== 'answer' ? (
        <Notice notice={problemNotice(read)} />
      ) : read.value.connections.length === 0 ? (
        <p class="empty">No client is connected.</p>
      ) : (
        <DataTable
          table={{
            caption: 'Connected clients',
            rows: read.value.connections,
            columns: [
              column.text('Calls itself', 'name', ({ name }) => <q>{logText(name)}</q>),
              column.text('May', 'scope', ({ scope }) => (scope === 'read' ? 'read' : 'read and write')),
              column.text('Allowed by', 'user', ({ user }) => logText(user ?? NOT_KNOWN)),
              column.text('Since', 'created_at', ({ created_at }) => day(created_at)),
              column.text('Ends unused', 'expires_at', ({ expires_at }) => day(expires_at)),
              column.text('Action', 'id', ({ id, name, can_revoke }) =>
                can_revoke ? (
                  <ConfirmButton
                    text="revoke"
                    label={`Revoke ${logText(name)}`}
                    onConfirm={() => void revoke(id)}
                  />
                ) : null,
              ),
            ],
          }}
        />
      )}
    </Panel>
  );
}

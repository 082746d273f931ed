import { useEffect, useState } from 'preact/hooks';
import { callConsole, type Outcome } from '../../api/read.js';
import { useSession } from '../../api/session.js';
import { day, logText, moment, NOT_KNOWN } from '../../format.js';
import { ConfirmButton } from '../../parts/action.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { Notice, problemNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { NewKey } from './new-key.js';

interface AccessKey {
  readonly id: string;
  readonly kind: 'key' | 'session' | 'connection' | 'sign_in_link';
  readonly name: string;
  readonly scope: 'read' | 'read_write';
  readonly last4: string | null;
  readonly user: string | null;
  readonly created_at: string;
  readonly seen_at: string | null;
  readonly expires_at: string | null;
  readonly is_current: boolean;
  readonly can_revoke: boolean;
}

interface KeyList {
  readonly keys: readonly AccessKey[];
  readonly total: number;
}

const column = columnsOf<AccessKey>();
const kinds = {
  key: 'API key',
  session: 'session of the console',
  connection: 'connected client',
  sign_in_link: 'unused sign-in link',
} as const;

/** Everything that opens the organisation's data: API keys, sessions, clients of the MCP server, links. */
export function AccessKeys() {
  const session = useSession();
  const [read, setRead] = useState<Outcome<KeyList> | null>(null);
  const [failure, setFailure] = useState<ReturnType<typeof problemNotice> | null>(null);
  const load = () => void callConsole<KeyList>('console/keys').then(setRead);
  useEffect(load, []);
  const post = async (path: string, body: object) => {
    const outcome = await callConsole(path, body);
    setFailure(outcome.kind === 'answer' ? null : problemNotice(outcome));
    load();
    return outcome.kind === 'answer';
  };
  const signOutAll = async () => {
    // Reloads the page without a session.
    if (await post('console/keys/sign-out-all', {})) window.location.replace(document.baseURI);
  };
  return (
    <Panel title="Keys, sessions and clients" caption="each of them can read this organisation’s websites">
      <Notice notice={failure} />
      <KeyTable read={read} onRevoke={(id) => void post('console/keys/revoke', { id })} />
      <p>
        <ConfirmButton
          text={session?.role === 'owner' ? 'sign out all sessions' : 'sign out all my sessions'}
          label="Sign out all sessions"
          onConfirm={() => void signOutAll()}
        />
      </p>
      {session?.role === 'owner' ? <NewKey onMade={load} /> : null}
    </Panel>
  );
}

function KeyTable({
  read,
  onRevoke,
}: {
  readonly read: Outcome<KeyList> | null;
  readonly onRevoke: (id: string) => void;
}) {
  if (read === null) return <p class="empty">Reading …</p>;
  if (read.kind !== 'answer') return <Notice notice={problemNotice(read)} />;
  const { keys, total } = read.value;
  return (
    <>
      <DataTable
        table={{
          caption: 'Keys, sessions and clients',
          rows: keys,
          columns: [
            column.text('Name', 'name', ({ name, last4 }) => (
              <>
                <q>{logText(name)}</q>
                {last4 === null ? null : ` …${last4}`}
              </>
            )),
            column.text('Kind', 'kind', ({ kind, is_current }) =>
              is_current ? 'this session' : kinds[kind],
            ),
            column.text('May', 'scope', ({ scope }) => (scope === 'read' ? 'read' : 'read and write')),
            column.text('Person', 'user', ({ user }) => logText(user ?? NOT_KNOWN)),
            column.text('Since', 'created_at', ({ created_at }) => moment(created_at)),
            column.text('Last seen', 'seen_at', ({ seen_at }) => moment(seen_at)),
            column.text('Ends', 'expires_at', ({ expires_at }) =>
              expires_at === null ? 'never' : day(expires_at),
            ),
            column.text('Action', 'id', ({ id, name, can_revoke }) =>
              can_revoke ? (
                <ConfirmButton
                  text="revoke"
                  label={`Revoke ${logText(name)}`}
                  onConfirm={() => onRevoke(id)}
                />
              ) : null,
            ),
          ],
        }}
      />
      {total > keys.length ? (
        <p class="caption">
          The newest {keys.length} of {total}. An operator lists all of them.
        </p>
      ) : null}
    </>
  );
}

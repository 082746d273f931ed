import { useState } from 'preact/hooks';
import { signOut, useSession } from '../../api/session.js';
import { logText, moment, NOT_KNOWN } from '../../format.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

/** The signed-in user, the rights of the session, and the button to sign out. */
export function SessionCard() {
  const session = useSession();
  const [hasFailed, setHasFailed] = useState(false);
  const leave = async () => {
    // Reloads the page without a session.
    if (await signOut()) window.location.replace(document.baseURI);
    else setHasFailed(true);
  };
  return (
    <Panel title="Session">
      <dl class="facts">
        <dt>Signed in as</dt>
        <dd>
          {session !== null && session.user === null ? (
            <>
              no user, since the sign-in link names none. <code>npm run admin -- sign-in --user e-mail</code>{' '}
              makes one that does.
            </>
          ) : (
            logText(session?.user ?? NOT_KNOWN)
          )}
        </dd>
        <dt>Organisation</dt>
        <dd>{logText(session?.organisation.name ?? NOT_KNOWN)}</dd>
        <dt>Role</dt>
        <dd>
          {session === null
            ? NOT_KNOWN
            : session.role === 'owner'
              ? 'owner: reads and writes'
              : 'viewer: reads'}
        </dd>
        <dt>Ends</dt>
        <dd>{moment(session?.expires_at)}, or after 12 hours without use</dd>
      </dl>
      <button type="button" class="button" onClick={() => void leave()}>
        Sign out
      </button>
      <Notice
        notice={
          hasFailed ? { kind: 'error', text: 'The server does not answer. You are still signed in.' } : null
        }
      />
    </Panel>
  );
}

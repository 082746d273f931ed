import { useState } from 'preact/hooks';
import { logText } from '../../format.js';
import { Notice } from '../../parts/notice.js';
import type { ConsentRequest, Scope } from './consent-request.js';

/** The request of a client, and the person's choice. */
export function Request({
  request,
  isBusy,
  onDecide,
}: {
  readonly request: ConsentRequest;
  readonly isBusy: boolean;
  readonly onDecide: (decision: 'allow' | 'deny', scope: Scope) => void;
}) {
  const { client_name, organisation, user, scopes, is_viewer, problem } = request;
  const [scope, setScope] = useState<Scope>('read');
  return (
    <form
      class="stack"
      aria-label="Access for a client"
      onSubmit={(event) => {
        event.preventDefault();
        onDecide('allow', scope);
      }}
    >
      <h2>A client asks for access to {logText(organisation)}</h2>
      <dl class="facts">
        <dt>It calls itself</dt>
        <dd>
          {/* The client chose this text. */}
          <q class="client-name">{logText(client_name)}</q>
        </dd>
        <dt>Your answer goes to</dt>
        <dd>
          <b>{destinationText(request)}</b>
        </dd>
        <dt>Signed in as</dt>
        <dd>{user === null ? (is_viewer ? 'viewer' : 'owner') : logText(user)}</dd>
      </dl>
      {problem === null ? (
        <>
          <p class="caption">
            Anyone can give a client a name. Allow it only if you opened this page from that client just now.
          </p>
          <fieldset class="access">
            <legend>It may</legend>
            {scopes.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="scope"
                  value={each}
                  checked={each === scope}
                  onChange={() => setScope(each)}
                />{' '}
                {each === 'read'
                  ? 'read: all figures, requests and addresses of visitors'
                  : 'read and write: also change websites, segments, alerts and exports'}
              </label>
            ))}
          </fieldset>
          {is_viewer ? <p class="caption">You are a viewer, so the client can only read.</p> : null}
          <p class="caption">
            The access ends when you revoke it in the settings, or after 30 days without use.
          </p>
        </>
      ) : (
        <Notice
          notice={{ kind: 'error', text: `The request of the client has a fault. ${logText(problem)}` }}
        />
      )}
      <p class="decision">
        {problem === null ? (
          <button type="submit" class="button" disabled={isBusy}>
            Allow
          </button>
        ) : null}{' '}
        <button type="button" class="tool" disabled={isBusy} onClick={() => onDecide('deny', scope)}>
          {problem === null ? 'Deny' : 'Go back to the client'}
        </button>
      </p>
    </form>
  );
}

function destinationText({ destination: { kind, name } }: ConsentRequest): string {
  if (kind === 'website') return `the website ${name}`;
  return name.endsWith(':') ? `an app on this device (${name})` : `a program on this device (${name})`;
}

import '../../style/forms.css';
import '../../style/screen-parts.css';
import { useEffect, useState } from 'preact/hooks';
import { callConsole, type Outcome } from '../../api/read.js';
import { Notice, type NoticeText, problemNotice } from '../../parts/notice.js';
import { SignInHelp } from '../../parts/signed-out.js';
import type { ConsentRequest, Scope } from './consent-request.js';
import { Request } from './request.js';

/** Until a person signs in in another tab, or the server answers. */
const REPEAT_MS = 3_000;

/** A client of the MCP server asks a person for access. Its address has the request, which the server reads again. */
export function Connect() {
  const query = window.location.search;
  const read = useConsentRequest(query);
  const [notice, setNotice] = useState<NoticeText | null>(null);
  const [isBusy, setBusy] = useState(false);
  const decide = async (decision: 'allow' | 'deny', scope: Scope) => {
    setBusy(true);
    const outcome = await callConsole<{ redirect_to: string }>('oauth/consent', {
      request: query,
      decision,
      scope,
    });
    if (outcome.kind === 'answer') {
      setNotice({ kind: 'info', text: 'The client has the answer. You can close this page.' });
      window.location.assign(outcome.value.redirect_to);
      return;
    }
    setBusy(false);
    setNotice(problemNotice(outcome));
  };
  return (
    <main class="signed-out connect" aria-busy={read === null}>
      <h1>Loglane</h1>
      {read === null ? (
        <p role="status">Reading the request …</p>
      ) : read.kind === 'answer' ? (
        <Request request={read.value} isBusy={isBusy} onDecide={(...given) => void decide(...given)} />
      ) : read.kind === 'signed-out' ? (
        <SignInFirst />
      ) : (
        <Notice notice={problemNotice(read)} />
      )}
      <Notice notice={notice} />
    </main>
  );
}

function SignInFirst() {
  return (
    <>
      <p>
        A client asks for access to your figures. <b>Sign in first</b>: open a sign-in link in another tab of
        this browser. This page continues by itself.
      </p>
      <SignInHelp />
      <p role="status">Waiting for you to sign in …</p>
    </>
  );
}

function useConsentRequest(query: string): Outcome<ConsentRequest> | null {
  const [outcome, setOutcome] = useState<Outcome<ConsentRequest> | null>(null);
  const isFinal = outcome?.kind === 'answer' || outcome?.kind === 'refused';
  useEffect(() => {
    if (isFinal) return;
    let ended = false;
    const read = async () => {
      const found = await callConsole<ConsentRequest>(`oauth/consent${query}`);
      if (!ended) setOutcome(found);
    };
    void read();
    const timer = setInterval(() => void read(), REPEAT_MS);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [query, isFinal]);
  return outcome;
}

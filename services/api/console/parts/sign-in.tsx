import { useEffect, useState } from 'preact/hooks';

/** How a link turned out that opened nothing. `none`: the address has no token. */
type Problem = 'none' | 'ended' | 'unreachable' | { readonly detail: string };

/** Exchanges the token of the address for a session, and goes to the overview. */
export function SignIn() {
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const token = takeToken();
    if (token === '') setProblem('none');
    else
      exchange(token).then((found) => {
        // Reloads the page, so that all reads use the session's cookie.
        if (found === null) window.location.replace(document.baseURI);
        else setProblem(found);
      });
  }, []);
  if (problem === null)
    return (
      <main class="signed-out" aria-busy="true">
        <h1>Loglane</h1>
        <p role="status">Signing in …</p>
      </main>
    );
  return (
    <main class="signed-out">
      <h1>Loglane</h1>
      <p role="alert">{textOf(problem)}</p>
      <p>
        <code>npm start</code> prints a link. An operator makes one with <code>npm run admin -- sign-in</code>
        .
      </p>
    </main>
  );
}

/** The token leaves the address at once: neither the history nor a copied address has it. */
function takeToken(): string {
  const token = window.location.hash.slice(1);
  window.history.replaceState(null, '', window.location.pathname);
  return token;
}

/** @returns null: signed in. */
async function exchange(token: string): Promise<Problem | null> {
  try {
    const response = await fetch(new URL('console/sign-in', document.baseURI), {
      method: 'POST',
      headers: { 'X-Loglane-Console': '1', 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (response.ok) return null;
    const { code, detail } = (await response.json()) as { code?: string; detail?: string };
    return code === 'sign_in_link_ended' ? 'ended' : { detail: detail ?? `HTTP ${response.status}` };
  } catch {
    return 'unreachable';
  }
}

function textOf(problem: Problem): string {
  if (problem === 'none') return 'This address has no sign-in link. Open the whole link that was printed.';
  if (problem === 'ended') return 'This link was used already, or is older than 15 minutes. Make a new one.';
  if (problem === 'unreachable') return 'The server cannot be reached. Open the link again in a moment.';
  return problem.detail;
}

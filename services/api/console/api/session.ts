import { useEffect, useState } from 'preact/hooks';

/** The answer of `GET /console/session`, which is not part of the public API. */
export interface Session {
  readonly user: string | null;
  readonly role: 'owner' | 'viewer';
  readonly expires_at: string | null;
  readonly organisation: { readonly id: string; readonly name: string };
  readonly ingest_url: string;
  readonly demo: boolean;
}

let known: Promise<Session | null> | null = null;

/** The signed-in person; null while it loads, and where it cannot be read. */
export function useSession(): Session | null {
  const [session, setSession] = useState<Session | null>(null);
  useEffect(() => {
    known ??= readSession();
    let ended = false;
    known.then((found) => {
      if (found === null) known = null;
      if (!ended) setSession(found);
    });
    return () => {
      ended = true;
    };
  }, []);
  return session;
}

async function readSession(): Promise<Session | null> {
  try {
    const response = await fetch(new URL('console/session', document.baseURI));
    return response.ok ? ((await response.json()) as Session) : null;
  } catch {
    return null;
  }
}

/** @returns whether the session has ended. */
export async function signOut(): Promise<boolean> {
  try {
    const response = await fetch(new URL('console/sign-out', document.baseURI), {
      method: 'POST',
      headers: { 'X-Loglane-Console': '1' },
    });
    return response.ok || response.status === 401;
  } catch {
    return false;
  }
}

/** Shown without a session: how to get one. */
export function SignedOut() {
  return (
    <main class="signed-out">
      <h1>Loglane</h1>
      <p>You are not signed in, or the session has ended.</p>
      <SignInHelp />
      <p>
        You can read the <a href="public/v1/docs">description of the API</a> without a session.
      </p>
    </main>
  );
}

export function SignInHelp() {
  return (
    <p>
      <code>npm start</code> prints a sign-in link. An operator makes one with{' '}
      <code>npm run admin -- sign-in</code>. A link works once, for 15 minutes.
    </p>
  );
}

import './style/console.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { basePath } from './address.js';
import { onSessionEnd } from './api/read.js';
import { SignIn } from './parts/sign-in.js';
import { SignedOut } from './parts/signed-out.js';
import { screens } from './screens/all-screens.js';
import { Shell } from './shell/shell.js';

function App() {
  return (
    <LocationProvider>
      <Door />
    </LocationProvider>
  );
}

const Connect = lazy(() => import('./screens/connect/connect.js').then((found) => found.Connect));

/** The addresses of a sign-in link and of a client that asks to be connected are no screens: no figure is read there. */
function Door() {
  const { path } = useLocation();
  if (path === `${basePath()}connect`)
    return <Router>{[<Route key="connect" default component={Connect} />]}</Router>;
  return path === `${basePath()}sign-in` ? <SignIn /> : <SignedIn />;
}

function SignedIn() {
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => onSessionEnd(() => setHasEnded(true)), []);
  return hasEnded ? <SignedOut /> : <Screens />;
}

function Screens() {
  return (
    <Shell>
      <Router>
        {screens.flatMap(({ path, component }) => [
          <Route key={path} path={`${basePath()}${path}`} component={component} />,
          ...(path === ''
            ? []
            : [<Route key={`${path}/`} path={`${basePath()}${path}/:rest+`} component={component} />]),
        ])}
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}

function NotFound() {
  return <p class="empty">There is no such screen.</p>;
}

render(<App />, document.getElementById('app')!);

import { createPurser } from '@purser/sdk';
import '@purser/react/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './page.css';

/** Who is signed in, and where: a backend of your own says so. */
interface Session {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly jwt: string;
  readonly email: string;
}

const session = (await (await fetch('/session.json')).json()) as Session;
const purser = createPurser({
  baseUrl: session.baseUrl,
  apiKey: session.clientKey,
  userJwt: () => session.jwt,
});

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App purser={purser} email={session.email} />
  </StrictMode>,
);

// A wallet in React, with everything of @purser/react. Needs a running service: `npm start`.
// Run: npx tsx examples/react-app/serve.ts, then open the address that it prints.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createServer } from 'vite';
import { readDevelopmentService } from '../development.ts';

const service = readDevelopmentService();
const { port = '5174' } = parseArgs({
  options: { port: { type: 'string' }, data: { type: 'string' } },
}).values;
const user = `visitor-${Date.now().toString(36)}`;

const server = await createServer({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // WebAuthn knows "localhost" as a safe place, but no bare address.
  server: { host: 'localhost', port: Number(port), strictPort: true },
  plugins: [
    {
      name: 'session',
      configureServer({ middlewares }) {
        middlewares.use('/session.json', (_request, response) => {
          answerSession().then(
            (session) =>
              response.setHeader('content-type', 'application/json').end(JSON.stringify(session)),
            (error: unknown) => response.writeHead(500).end(String(error)),
          );
        });
      },
    },
  ],
});
await server.listen();
const origin = `http://localhost:${port}`;
const { key: clientKey } = await purserCommand(
  'keys',
  'create',
  '--kind',
  'client',
  '--name',
  'React example',
  '--origins',
  origin,
);
console.log(`Open ${origin}`);

/** A real backend signs the user in, and its identity provider makes this JWT. */
async function answerSession() {
  const { token: jwt } = await purserCommand('token', '--user', user);
  return { baseUrl: service.baseUrl, clientKey, jwt, email: `${user}@example.com` };
}

/** The answer of the command line as JSON. */
async function purserCommand(...args: string[]): Promise<Record<string, string>> {
  const program = fileURLToPath(new URL('../../bin/purser.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    ...args,
    '--json',
    '--data',
    service.dataDir,
  ]);
  return JSON.parse(stdout) as Record<string, string>;
}

import http from 'node:http';
import { explainFailure } from '../../src/lib/command.ts';
import { runPurser } from '../../src/processes/command-line/purser.ts';

// The operator's command line as a process of its own, which is killed while it works:
// bin/purser.ts for many commands.

/** What a command printed; `code` is its exit code. */
export interface CommandAnswer {
  readonly code: number;
  readonly output: string;
}

async function run(args: readonly string[]): Promise<CommandAnswer> {
  const lines: string[] = [];
  try {
    const code = await runPurser({ args, env: process.env, print: (line) => lines.push(line) });
    return { code, output: lines.join('\n') };
  } catch (error) {
    return { code: 1, output: explainFailure(error) };
  }
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const args = JSON.parse(Buffer.concat(chunks).toString('utf8')) as string[];
    void run(args).then((answer) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    );
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1');

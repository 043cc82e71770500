import { explainFailure } from '../src/lib/command.ts';
import { runPurser } from '../src/processes/command-line/purser.ts';

// The exit code is set, not `exit` called: what was printed is flushed first, also into a pipe.
try {
  process.exitCode = await runPurser({
    args: process.argv.slice(2),
    env: process.env,
    print: (line) => console.log(line),
  });
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}

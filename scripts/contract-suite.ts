import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// npm run contract-suite -- --chain <family> --against <url of a node>: the contract suite of a
// family against an operator's test network, instead of the local chain. It spends what the account
// of CONTRACT_SUITE_TREASURY_KEY holds; the family's guide says how much.

const usage = `npm run contract-suite -- --chain aptos|stellar|sui --against https://node.example/v1

Runs what every chain family has to pass against a test network of yours. Environment:
  CONTRACT_SUITE_TREASURY_KEY  private key of an account there with native money and test tokens, which the suite spends
  CONTRACT_SUITE_TEST_TOKEN    the token that stands for the test stablecoin: the account holds some of it (aptos: its address),
                               owns its treasury cap (sui: its type), or issues it (stellar: the contract of its asset USDXM)`;

const root = fileURLToPath(new URL('..', import.meta.url));
/** Families whose harness takes another network than the local one. */
const families = ['aptos', 'stellar', 'sui'];
/**
 * Of one test: on Stellar a failed payment of custody is told as failed after a quarter of an hour.
 */
const testTimeoutMs = 25 * 60_000;

const { values } = parseArgs({
  options: { chain: { type: 'string' }, against: { type: 'string' }, help: { type: 'boolean' } },
});
const missing = ['CONTRACT_SUITE_TREASURY_KEY', 'CONTRACT_SUITE_TEST_TOKEN'].filter(
  (name) => !process.env[name],
);
if (values.help || !values.chain || !values.against) end(usage, values.help ? 0 : 1);
if (!families.includes(values.chain!))
  end(
    `There is no suite against other networks for "${values.chain}": ${families.join(', ')} have one.`,
  );
if (!URL.canParse(values.against!))
  end(
    `--against is the address of a node, as in https://node.example/v1, not "${values.against}".`,
  );
if (missing.length > 0)
  end(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.\n\n${usage}`);

const suite = `src/chains/${values.chain}/family.test.ts`;
if (!existsSync(`${root}${suite}`)) end(`${suite} is not there.`);
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', suite, `--testTimeout=${testTimeoutMs}`],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CONTRACT_SUITE_RPC_URL: values.against! },
  },
);
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;

function end(text: string, exitCode = 1): never {
  (exitCode === 0 ? console.log : console.error)(text);
  process.exit(exitCode);
}

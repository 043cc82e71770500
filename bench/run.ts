import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWithBaseline, readBaseline, renderTable, writeBaseline } from './baseline.ts';
import { benchCheckouts } from './checkouts.ts';
import { benchConsole } from './console.ts';
import { benchDelegates } from './delegates.ts';
import { benchFamilies } from './families.ts';
import { benchFlows } from './flows.ts';
import { benchFootprint } from './footprint.ts';
import { benchLedger } from './ledger.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { benchOrders } from './orders.ts';
import { benchPayouts } from './payouts.ts';
import { benchPeople } from './people.ts';
import { benchSeals } from './seals.ts';
import { benchSignatures } from './signatures.ts';
import { benchTransfers } from './transfers.ts';
import { benchVault } from './vault.ts';
import { benchWallets } from './wallets.ts';
import { benchWebhooks } from './webhooks.ts';

// `npm run bench`: how fast the service is, beside what limits it, in one run.

const usage = `npm run bench -- [options]

  --only <name>     one of wallets, flows, ledger, orders, payouts, people, vault, transfers, delegates, seals, signatures, webhooks, checkouts, families, console, footprint; may be repeated
  --update          records the ratios of this run as bench/baseline.json
  --quick           short rounds, to see that everything runs
  --source          runs the programs from their sources instead of building dist/
  --profile <dir>   writes CPU profiles of the service's processes`;

const benches: Readonly<Record<string, (options: BenchOptions) => Promise<Measure[]>>> = {
  wallets: benchWallets,
  flows: benchFlows,
  ledger: benchLedger,
  orders: benchOrders,
  payouts: benchPayouts,
  people: benchPeople,
  vault: benchVault,
  transfers: benchTransfers,
  delegates: benchDelegates,
  seals: benchSeals,
  signatures: benchSignatures,
  webhooks: benchWebhooks,
  checkouts: benchCheckouts,
  families: benchFamilies,
  console: benchConsole,
  footprint: benchFootprint,
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      update: { type: 'boolean' },
      quick: { type: 'boolean' },
      source: { type: 'boolean' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const unknown = (values.only ?? []).filter((name) => !Object.hasOwn(benches, name));
  if (values.help || unknown.length > 0) {
    console.log(
      unknown.length > 0 ? `There is no measurement ${unknown.join(', ')}.\n\n${usage}` : usage,
    );
    return unknown.length > 0 ? 1 : 0;
  }
  const fromSource = values.source ?? false;
  if (
    !fromSource &&
    spawnSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
      stdio: 'inherit',
    }).status !== 0
  )
    return 1;
  const options: BenchOptions = {
    progress: (line) => console.error(`  ${line}`),
    fromSource,
    profileDir: values.profile,
    quick: values.quick ?? false,
  };
  const measures: Measure[] = [];
  for (const name of values.only ?? Object.keys(benches))
    measures.push(...(await benches[name]!(options)));
  const compared = compareWithBaseline(measures, readBaseline());
  console.log(`\n${renderTable(compared)}\n`);
  if (values.update) writeBaseline(measures);
  return compared.some(({ verdict }) => verdict.isFailure) ? 1 : 0;
}

process.exitCode = await main();

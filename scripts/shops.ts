import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCases } from '../test/shops/real/cases.ts';
import { askOracle, runCases, tableOf } from '../test/shops/real/run.ts';
import { startShopService } from '../test/shops/real/service.ts';

// `npm run shops`: buys in a shop that runs somewhere, through the whole service, and looks into the shop's own books.

const usage = `Buys in a shop that runs, through the whole service, and compares with the shop's own orders.

  npm run shops -- --at <url> --cases <file> [--out <file>]

  --at <url>      address of the shop
  --cases <file>  what to buy and how to ask the shop for its orders: docs/guides/agent-checkouts.md
  --out <file>    writes the ends as JSON, with what was asked for approval

Ends with 0 when nothing was bought wrongly and nothing untrue was said, else with 1.`;

try {
  const { values } = parseArgs({
    options: { at: { type: 'string' }, cases: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await main(values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(values: { readonly at?: string; readonly cases?: string; readonly out?: string }): Promise<number> {
  if (values.at === undefined || values.cases === undefined) throw new Error(usage);
  if (!URL.canParse(values.at)) throw new Error(`--at ${values.at}: the address of a shop, such as http://127.0.0.1:8102.`);
  const cases = readCases(values.cases);
  // Before anything is started: an oracle that does not answer judges nothing.
  await askOracle(cases.orders.replaceAll('{at}', values.at));
  process.stdout.write('Starting the service.\n');
  const service = await startShopService(new URL(values.at).origin);
  const stop = () => void service.stop().then(() => process.exit(130));
  process.once('SIGINT', stop);
  try {
    const onEnd = ({ name, verdict, seconds }: { name: string; verdict: string; seconds: number }) =>
      process.stdout.write(`${name}: ${verdict} (${seconds.toFixed(1)} s)\n`);
    const runs = await runCases({ at: values.at, cases, service, onEnd });
    process.stdout.write(`\n${tableOf(runs)}\n`);
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(runs, null, 2)}\n`);
    return runs.some(({ verdict }) => verdict === 'wrong' || verdict === 'untrue') ? 1 : 0;
  } finally {
    process.removeListener('SIGINT', stop);
    await service.stop();
  }
}

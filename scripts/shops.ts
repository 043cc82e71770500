import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCases, selectCases } from '../test/shops/real/cases.ts';
import { startEverShop } from '../test/shops/real/evershop.ts';
import { everShopCases } from '../test/shops/real/evershop-data.ts';
import { askOracle, type CaseRun, runCases, tableOf } from '../test/shops/real/run.ts';
import { type ShopService, startShopService } from '../test/shops/real/service.ts';

// `npm run shops`: buys in a shop that runs somewhere, through the whole service, and looks into
// the shop's own books.

const usage = `Buys in a shop that runs, through the whole service, and compares with the shop's own orders.

  npm run shops -- --at <url> --cases <file> [--only <text>] [--out <file>]
  npm run shops -- --evershop [--only <text>] [--out <file>]

  --at <url>      address of the shop
  --cases <file>  what to buy and how to ask the shop for its orders: docs/guides/agent-checkouts.md
  --evershop      installs EverShop from npm into a temporary folder, opens it, and buys there
  --only <text>   of the cases, those with this text in their name
  --out <file>    writes the ends as JSON, with each step and what was asked for approval

Ends with 0 when nothing was bought wrongly and nothing untrue was said, else with 1.`;

try {
  const { values } = parseArgs({
    options: {
      at: { type: 'string' },
      cases: { type: 'string' },
      evershop: { type: 'boolean' },
      only: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await main(values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

interface Values {
  readonly at?: string;
  readonly cases?: string;
  readonly evershop?: boolean;
  readonly only?: string;
  readonly out?: string;
}

async function main(values: Values): Promise<number> {
  const place = values.evershop === true ? await openEverShop(values) : await readPlace(values);
  let service: ShopService | undefined;
  const stopAll = async () => {
    await service?.stop();
    await place.stop();
  };
  const stop = () => void stopAll().then(() => process.exit(130));
  process.once('SIGINT', stop);
  try {
    process.stdout.write('Starting the service.\n');
    service = await startShopService(new URL(place.at).origin);
    const onEnd = ({ name, verdict, seconds }: CaseRun) =>
      process.stdout.write(`${name}: ${verdict} (${seconds.toFixed(1)} s)\n`);
    const runs = await runCases({ ...place, service, onEnd });
    process.stdout.write(`\n${tableOf(runs)}\n`);
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(runs, null, 2)}\n`);
    return runs.some(({ verdict }) => verdict === 'wrong' || verdict === 'untrue') ? 1 : 0;
  } finally {
    process.removeListener('SIGINT', stop);
    await stopAll();
  }
}

async function openEverShop({ only }: Values) {
  const cases = selectCases(everShopCases, only);
  return { ...(await startEverShop((text) => process.stdout.write(text))), cases };
}

async function readPlace({ at, cases: file, only }: Values) {
  if (at === undefined || file === undefined) throw new Error(usage);
  if (!URL.canParse(at))
    throw new Error(`--at ${at}: the address of a shop, such as http://127.0.0.1:8102.`);
  const cases = readCases(file);
  const readOrders = () => askOracle(cases.orders.replaceAll('{at}', at));
  // Before anything is started: an oracle that does not answer judges nothing.
  await readOrders();
  return { at, cases: selectCases(cases, only), readOrders, stop: async () => undefined };
}

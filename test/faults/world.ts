import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import {
  type Anvil,
  planGenesis,
  prepareGenesis,
  startAnvil,
  testStablecoinAddress,
} from '../../devnet/index.ts';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { writeOwnSettings } from '../../src/areas/orders/pricing/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { fundTreasury, requireTreasury } from '../../src/areas/treasury/index.ts';
import { findEvmNetwork } from '../../src/chains/evm/config/networks.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Ctx } from '../../src/context.ts';
import { createMovableClock, type MovableClock } from '../../src/lib/clock.ts';
import { composeCtx } from '../../src/processes/compose.ts';
import {
  type StripeServer,
  startStripeServer,
} from '../../src/providers/card/testing/stripe-server.ts';
import { findFreePort } from '../harness/processes.ts';
import { makeProductionSecrets } from '../harness/production.ts';
import { type FaultBank, startFaultBank } from './bank.ts';
import { type CardDesk, createCardDesk } from './cards.ts';
import { giver } from './chain.ts';
import { type Crowd, createCrowd } from './crowd.ts';
import { type FaultDatabase, persist, startFaultDatabase } from './database.ts';
import { chain, makeEnvironment, stripeKey, webhookSecret } from './environment.ts';
import { type Gate, startGate } from './gate.ts';
import type { Tally } from './happened.ts';
import { createHorizon, type Horizon } from './horizon.ts';
import { employOperator, type Operator } from './operator.ts';
import { type Part, startPart } from './part.ts';
import { type FaultReceiver, startReceiver } from './receiver.ts';
import { createSanctions, type Sanctions } from './sanctions.ts';
import { createStrays, type Strays } from './strays.ts';

export { chain };

const fundedWei = 10n ** 24n;

/** API, worker and vault as processes, and a world around them that can be disturbed. */
export interface FaultWorld {
  readonly database: FaultDatabase;
  /** The main side as the test looks at it, past every gate. */
  readonly ctx: Ctx;
  readonly clock: MovableClock;
  readonly projectId: string;
  readonly serverKey: string;
  /** Through the gate of the clients; each ends in `/api`. */
  readonly apiUrl: string;
  readonly vaultUrl: string;
  /** The API itself, for callbacks and for looking. */
  readonly plainApiUrl: string;
  readonly plainVaultUrl: string;
  readonly node: Anvil;
  readonly treasury: `0x${string}`;
  readonly tokens: Readonly<Record<'usdc' | 'usdxm', `0x${string}`>>;
  readonly stripe: StripeServer;
  readonly bank: FaultBank;
  readonly stripeSecret: string;
  readonly receiver: FaultReceiver;
  readonly cards: CardDesk;
  readonly sanctions: Sanctions;
  readonly horizon: Horizon;
  readonly crowd: Crowd;
  readonly operator: Operator;
  readonly strays: Strays;
  readonly tally: Tally;
  readonly parts: Readonly<Record<'api' | 'worker' | 'vault' | 'operator' | 'vaultOperator', Part>>;
  readonly gates: Readonly<
    Record<'clients' | 'vaultClients' | 'chain' | 'vault' | 'acquirer' | 'bank', Gate>
  >;
  /** Orders that payers have made so far. */
  orderCount: number;
  /** Asks the chain's node, past every gate. */
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>;
  close(): Promise<void>;
}

/** @param tally counts on from an earlier world */
export async function startFaultWorld(tally: Tally): Promise<FaultWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-faults-'));
  const stops: (() => Promise<unknown> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  const keep = <T>(thing: T, stop: (thing: T) => Promise<unknown> | void): T => {
    stops.push(() => stop(thing));
    return thing;
  };
  try {
    const database = keep(await startFaultDatabase(folder), (one) => one.close());
    const node = keep(
      await startAnvil({ chainId: findEvmNetwork(chain)!.chainId!, log: () => undefined }),
      (one) => one.stop(),
    );
    const stripe = keep(await startStripeServer(stripeKey), (one) => one.close());
    const clock = createMovableClock();
    const bank = keep(await startFaultBank(() => clock.now()), (one) => one.close());
    const secrets = makeProductionSecrets(2);
    const treasuryKey = privateKeyToAddress(secrets.treasuryKey);
    const network = findEvmNetwork(chain)!;
    await prepareGenesis(
      node.url,
      planGenesis({
        tokens: network.tokens,
        minter: treasuryKey,
        funded: [treasuryKey, ...secrets.executorKeys.map((key) => privateKeyToAddress(key))].map(
          (address) => ({
            address,
            wei: fundedWei,
          }),
        ),
      }),
    );
    const [port, vaultPort] = [await findFreePort(), await findFreePort()];
    const [operatorPort, vaultOperatorPort] = [await findFreePort(), await findFreePort()];
    const gates = {
      clients: keep(await startGate(`http://127.0.0.1:${port}`), (one) => one.close()),
      vaultClients: keep(await startGate(`http://127.0.0.1:${vaultPort}`), (one) => one.close()),
      chain: keep(await startGate(node.url), (one) => one.close()),
      vault: keep(await startGate(`http://127.0.0.1:${vaultPort}`), (one) => one.close()),
      bank: keep(await startGate(bank.url), (one) => one.close()),
      acquirer: keep(await startGate(stripe.url), (one) => one.close()),
    };
    const sanctions = createSanctions(folder);
    const testToken = testStablecoinAddress(treasuryKey);
    const environment = makeEnvironment({
      port,
      vaultPort,
      database,
      gates,
      secrets,
      testToken,
      sanctionsFile: sanctions.file,
    });
    const log = pino({ level: 'silent' });
    const { keySigning } = loadConfig(environment.operator, { process: 'purser' });
    const config = {
      ...loadConfig(
        { ...environment.worker, EVM_RPC_URL_BASE_SEPOLIA: node.url },
        { process: 'worker' },
      ),
      keySigning,
    };
    const ctx = keep(await composeCtx(config, { log, process: 'faults', clock }), (one) =>
      one.store.close(),
    );
    const project = await createProject(ctx, { name: 'Faults' });
    const { key: serverKey } = await issueKey(ctx, {
      projectId: project.id,
      kind: 'server',
      scopes: scopesOf('server'),
    });
    await writeOwnSettings(ctx, {
      projectId: project.id,
      settings: { kycRequired: false, limits: [] },
    });
    const parts = {
      vault: keep(
        startPart({ name: 'vault', program: 'test/faults/vault-child.ts', env: environment.vault }),
        (one) => one.stop(),
      ),
      api: keep(startPart({ name: 'api', program: 'bin/api.ts', env: environment.api }), (one) =>
        one.stop(),
      ),
      worker: keep(
        startPart({
          name: 'worker',
          program: 'test/faults/worker-child.ts',
          env: environment.worker,
        }),
        (one) => one.stop(),
      ),
      operator: keep(startOperatorPart('operator', operatorPort, environment.operator), (one) =>
        one.stop(),
      ),
      vaultOperator: keep(
        startOperatorPart('operator of the vault', vaultOperatorPort, environment.vaultOperator),
        (one) => one.stop(),
      ),
    };
    const family = ctx.chains.familyOfChain(chain);
    const { address } = await requireTreasury(ctx, { projectId: project.id, chainType: 'evm' });
    for (const token of ['usdc', 'usdxm'])
      await fundTreasury(ctx, { projectId: project.id, chain, token, amount: '10000000' });
    for (const symbol of ['usdc', 'usdxm']) {
      const token = await family.resolveToken(chain, { symbol });
      await family.funding!.fund({
        chain,
        token,
        amountMinor: 10n ** 13n,
        recipientAddress: giver,
        reference: `giver of ${symbol}`,
      });
    }
    const addressOf = async (symbol: string) =>
      (await family.resolveToken(chain, { symbol })).address as `0x${string}`;
    const plainApiUrl = `http://127.0.0.1:${port}/api`;
    const receiver = keep(
      await startReceiver({
        folder,
        program: 'test/faults/receiver-child.ts',
        apiUrl: plainApiUrl,
        serverKey,
      }),
      (one) => one.stop(),
    );
    const rpc = createRpcOf(node);
    const horizon = createHorizon(rpc, () => readSeenHeight(database));
    gates.chain.rewrite = (body) =>
      Buffer.from(body.toString().replaceAll('"finalized"', `"${horizon.asked()}"`));
    const strays = createStrays();
    const lines = {
      main: { url: `http://127.0.0.1:${operatorPort}/`, program: parts.operator },
      vault: { url: `http://127.0.0.1:${vaultOperatorPort}/`, program: parts.vaultOperator },
    };
    const world: FaultWorld = {
      database,
      ctx,
      clock,
      projectId: project.id,
      serverKey,
      apiUrl: `${gates.clients.url}/api`,
      vaultUrl: `${gates.vaultClients.url}/api`,
      plainApiUrl,
      plainVaultUrl: `http://127.0.0.1:${vaultPort}/api`,
      node,
      treasury: address as `0x${string}`,
      tokens: { usdc: await addressOf('usdc'), usdxm: await addressOf('usdxm') },
      stripe,
      bank,
      stripeSecret: webhookSecret,
      receiver,
      cards: createCardDesk({ stripe, now: () => clock.now(), tally }),
      sanctions,
      horizon,
      crowd: createCrowd({ rpc, nodeUrl: node.url, horizon, gate: gates.chain }),
      operator: employOperator({ lines, tally, bank, strays, database, bankGate: gates.bank }),
      strays,
      tally,
      parts,
      gates,
      orderCount: 0,
      rpc,
      close,
    };
    return world;
  } catch (error) {
    await close();
    throw error;
  }
}

function startOperatorPart(
  name: string,
  port: number,
  env: Readonly<Record<string, string>>,
): Part {
  return startPart({ name, program: 'test/faults/operator-child.ts', args: [String(port)], env });
}

async function readSeenHeight({ stores }: FaultDatabase): Promise<number> {
  const text = 'select (next_height - 1)::int as height from evm_watched_chains where chain = $1';
  const { rows } = await persist(() =>
    stores.main.query<{ height: number }>({ text, values: [chain] }),
  );
  return rows[0]?.height ?? 0;
}

function createRpcOf(node: Anvil): FaultWorld['rpc'] {
  return async <T>(method: string, params: readonly unknown[]) => {
    const answer = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

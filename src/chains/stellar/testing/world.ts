import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { scValToNative } from '@stellar/stellar-sdk/base';
import { addressValue } from '../../../../contracts/stellar/index.ts';
import { contractAddress } from '../../../../contracts/stellar/testing/world.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type {
  Delegate,
  FamilyWallet,
  FindRecipient,
  OperationOutcome,
  PreparedOperation,
  ResolvedToken,
  Running,
  Signer,
  SmartWalletInput,
  TransferIntent,
} from '../../family.ts';
import { readyMaker } from '../account/make-ready.ts';
import { type PrepareDeps, prepareStellarOperation } from '../operation/prepare.ts';
import { ask } from '../operation/simulate.ts';
import { submitStellarOperations } from '../operation/submit.ts';
import { stellarTransferParams } from '../operation/transfer.ts';
import { createChannel } from '../relay/keys.ts';
import { runStellarRelay, type StellarRelayDeps } from '../relay/run.ts';
import { checkStellarApproval } from '../signing/approvals.ts';
import { readStellarAddress } from '../strkey.ts';
import { readTokenFacts } from '../tokens/token-facts.ts';
import { claimNumber, claimSequence } from '../wallet/numbers.ts';
import { planAccount, planSmartWallet } from '../wallet/plan.ts';
import { openChain } from './chain.ts';
import { custodySigner, signAsCustody } from './custody.ts';
import type { TestSigner } from './smart.ts';

export const projectId = '00000000-0000-4000-8000-000000000001';

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A local chain, a database, wallets of people, and the relay as it is asked for. */
export async function openWorld({ channels: count = 3 }: { readonly channels?: number } = {}) {
  const [chain, database] = await Promise.all([openChain(), startTestDatabase()]);
  const { network, connect } = chain;
  const seeds = Array.from({ length: count }, () => new Uint8Array(randomBytes(32)));
  const channels = seeds.map((seed) => createChannel(new Secret(seed)));
  for (const { address } of channels) await chain.friendbot(address);
  const native: ResolvedToken = {
    chain: 'stellar',
    locator: 'stellar:xlm',
    symbol: 'xlm',
    decimals: 7,
  };
  const token: ResolvedToken = {
    chain: 'stellar',
    locator: 'stellar:usdxm',
    symbol: 'usdxm',
    decimals: 7,
    address: chain.token,
  };
  const outcomes: OperationOutcome[] = [];
  const running: Running[] = [];
  const deps: PrepareDeps = {
    connect,
    claimNumber: (input) => claimNumber(database.store, input),
    feeMaxStroops: 20_000_000n,
    makeReady: readyMaker({ store: database.store, tokens: { describe: readTokenFacts } }),
    claimSequence: (input) => claimSequence(database.store, input),
    describeTokens: readTokenFacts,
  };

  function relayDeps(rest: Partial<StellarRelayDeps> = {}): StellarRelayDeps {
    return {
      store: database.store,
      clock: systemClock,
      log: createLogger({
        level: (process.env['TEST_LOG'] ?? 'silent') as 'silent',
        process: 'test',
      }),
      network,
      connect,
      channels,
      settings: { inFlightMax: 20, resendAfterMs: 500, leaseMs: 5_000 },
      bounds: { projectDayMaxMinor: 10n ** 12n, ownerDayMaxMinor: 10n ** 12n },
      settleOperations: async (tx, told) => tx.afterCommit(() => void outcomes.push(...told)),
      signBuilt: async (input) => signAsCustody(input),
      workerName: 'test',
      ...rest,
    };
  }

  async function until(
    isSo: () => Promise<boolean> | boolean,
    what: string,
    timeoutMs = 20_000,
  ): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`No ${what} within ${timeoutMs} ms.`);
      await delay(20);
    }
  }

  const world = {
    chain,
    database,
    network,
    connect,
    connection: chain.connection,
    seeds,
    channels,
    native,
    token,
    outcomes,
    deps,
    until,
    async start(rest: Partial<StellarRelayDeps> = {}): Promise<Running> {
      const relay = await runStellarRelay(relayDeps(rest));
      running.push(relay);
      return relay;
    },
    /** A contract that holds what it is sent. */
    freshAddress: () => contractAddress(randomUUID()),
    async balance(holder: string, of: ResolvedToken = token): Promise<bigint> {
      const call = {
        contract: of.address ?? network.nativeContract,
        method: 'balance',
        args: [addressValue(holder)],
      };
      const value = await ask(chain.connection, call);
      return value === undefined ? 0n : (scValToNative(value) as bigint);
    },
    async aWallet(
      input: Partial<SmartWalletInput> & Pick<SmartWalletInput, 'adminSigner'>,
      { tokens = 0n }: { readonly tokens?: bigint } = {},
    ): Promise<FamilyWallet> {
      const plan = planSmartWallet(
        { network, factory: chain.factory },
        { type: 'smart', creationSeed: randomUUID(), ...input },
      );
      if (tokens > 0n) await chain.giveTokens(plan.address, tokens);
      const { adminSigner, recoveryMethods } = input;
      const stored = throughJson(plan);
      return {
        id: randomUUID(),
        type: 'smart',
        ...stored,
        adminSigner,
        ...(recoveryMethods && { recoveryMethods }),
      };
    },
    /** A wallet that is its key: nothing is there before somebody pays it. */
    aKeyWallet(): FamilyWallet {
      const id = randomUUID();
      const { signer: adminSigner } = custodySigner({ id });
      const { bytes } = readStellarAddress(adminSigner.address!)!;
      return { id, projectId, type: 'mpc', ...planAccount(bytes), adminSigner };
    },
    /** As areas find a wallet of the payer's project. */
    finderOf:
      (wallet: FamilyWallet, owner = wallet.address): FindRecipient =>
      async () => ({ wallet, projectId, owner }),
    prepare: (wallet: FamilyWallet, params: JsonObject, by: Acting): Promise<PreparedOperation> =>
      prepareStellarOperation(deps, { wallet, params, now: new Date(), ...by }),
    prepareTransfer(
      wallet: FamilyWallet,
      by: Acting,
      {
        amount,
        to,
        of = token,
        ...rest
      }: { amount: bigint; to: string; of?: ResolvedToken } & Pick<
        TransferIntent,
        'memo' | 'findRecipient'
      >,
    ): Promise<PreparedOperation> {
      const transfer: TransferIntent = {
        wallet,
        chain: 'stellar',
        token: of,
        amountMinor: amount,
        recipientAddress: to,
        ...rest,
      };
      const params = stellarTransferParams(network, transfer);
      return prepareStellarOperation(deps, { wallet, params, now: new Date(), transfer, ...by });
    },
    /** Each approval is checked as the service does. */
    async submit(
      wallet: FamilyWallet,
      prepared: PreparedOperation,
      signers: readonly TestSigner[],
    ): Promise<string> {
      const operation = throughJson(prepared.operation);
      const approvals = signers.map((one) => one.approve(prepared));
      for (const approval of approvals)
        if (!checkStellarApproval(operation, approval))
          throw new Error(`${approval.signer.locator} does not approve this.`);
      const operationId = randomUUID();
      const input = {
        operationId,
        subject: 'transaction',
        projectId,
        wallet,
        chain: 'stellar',
        operation,
        approvals,
      };
      await database.store.transaction((tx) => submitStellarOperations(tx, [input]));
      return operationId;
    },
    async outcomeOf(operationId: string): Promise<OperationOutcome> {
      await until(() => outcomes.some((one) => one.operationId === operationId), 'outcome');
      return outcomes.find((one) => one.operationId === operationId)!;
    },
    async run(
      wallet: FamilyWallet,
      prepared: PreparedOperation,
      signers: readonly TestSigner[],
    ): Promise<OperationOutcome> {
      return world.outcomeOf(await world.submit(wallet, prepared, signers));
    },
    async close() {
      await Promise.all(running.map((one) => one.stop()));
      await chain.close();
      await database.close();
    },
  };
  return world;
}

export interface Acting {
  readonly signer: Signer;
  readonly delegate?: Delegate;
  readonly now?: Date;
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeSuiPrivateKey } from '@mysten/sui/cryptography';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { startSuiChain } from '../../../../devnet/sui/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import type { Environment } from '../../../context.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import {
  type Against,
  type AgainstForm,
  type Ground,
  oneByOne,
  readAgainst,
} from '../../testing/operator-ground.ts';
import { publicGenesisDigests, suiCoinType, suiNetwork, testToken } from '../config/networks.ts';
import { readFate } from '../operation/fate.ts';
import { decodeSigned } from '../operation/transaction.ts';
import { createSigningAccount, type SigningAccount } from '../relay/keys.ts';
import { signOwn, splitProgram } from '../relay/own/own.ts';
import { largest } from '../relay/treasury.ts';
import { createConnections, type SuiConnection } from '../rpc/connections.ts';
import { readBalance, readCoins } from '../rpc/objects.ts';
import { sendTransaction } from '../rpc/transactions.ts';
import { usd } from './bed.ts';

export interface SuiGround extends Ground {
  readonly feePayerSeeds: readonly Uint8Array[];
}

const mist = 1_000_000_000n;
const fundedMist = 1_000n * mist;
const newSeed = () => new Uint8Array(randomBytes(32));
const accountOf = (seed: Uint8Array) => createSigningAccount(new Secret(seed));

const form: AgainstForm = {
  readSeed(text) {
    try {
      const { scheme, secretKey } = decodeSuiPrivateKey(text);
      return scheme === 'ED25519' ? secretKey : undefined;
    } catch {
      return undefined;
    }
  },
  key: 'an Ed25519 key as `sui keytool export` writes it, suiprivkey1…',
  token: /^0x[0-9a-fA-F]{1,64}::\w+::\w+$/,
  tokenIs: 'the type of a coin, whose treasury cap the account owns',
};

/**
 * A local chain or, by `npm run contract-suite`, an operator's test network: what is given there
 * comes from the treasury.
 */
export async function openGround(env: NodeJS.ProcessEnv): Promise<SuiGround> {
  const against = readAgainst(env, form);
  return against ? operatorGround(against) : localGround();
}

async function localGround(): Promise<SuiGround> {
  const chain = await startSuiChain();
  const [treasurySeed, feePayerSeeds] = [newSeed(), [newSeed(), newSeed()]];
  const give = async (owner: string, amount: bigint) =>
    chain.fund(normalizeSuiAddress(randomBytes(32).toString('hex')), owner, {
      type: suiCoinType,
      amount,
    });
  for (const seed of [treasurySeed, ...feePayerSeeds])
    await give(accountOf(seed).address, fundedMist);
  const { decimals, name } = testToken;
  chain.addCurrency({
    type: usd,
    decimals,
    symbol: 'USDXM',
    name,
    minter: accountOf(treasurySeed).address,
  });
  return {
    url: chain.url,
    environment: 'development',
    treasurySeed,
    feePayerSeeds,
    testTokenAddress: usd,
    give,
    stop: () => chain.stop(),
  };
}

const waitMaxMs = 60_000;
/**
 * What each account of the suite begins with: it is there again in the next run, since its key
 * follows from the treasury's.
 */
const accountMist = 5n * mist;

async function operatorGround({
  url,
  treasurySeed,
  testTokenAddress,
}: Against): Promise<SuiGround> {
  const environment = await environmentOf(url);
  const network = suiNetwork(environment, { testCoinType: testTokenAddress });
  const log = createLogger({ level: 'silent', process: 'test' });
  const connections = createConnections({
    network,
    rpcUrl: url,
    rpcTimeoutMs: 10_000,
    log,
    onFirstUse: async () => undefined,
  });
  const connection = await connections.connect(network.name);
  // The worker mints and tops up with the treasury's coins: what the suite gives is another
  // account's.
  const [bankSeed, ...feePayerSeeds] = ['bank', 'fee payer 1', 'fee payer 2'].map((name) =>
    seedOf(treasurySeed, name),
  );
  for (const seed of [bankSeed!, ...feePayerSeeds]) {
    const owner = accountOf(seed).address;
    // What the last run spent, and no more: the guide says how much that is.
    const missing = accountMist - (await readBalance(connection, { owner, coinType: suiCoinType }));
    if (missing > mist / 10n) await pay(connection, accountOf(treasurySeed), owner, missing);
  }
  return {
    url,
    environment,
    treasurySeed,
    feePayerSeeds,
    testTokenAddress,
    plentyNativeMinor: mist,
    give: oneByOne((address, amountMinor) =>
      pay(connection, accountOf(bankSeed!), address, amountMinor),
    ),
    stop: async () => connections.close(),
  };
}

const seedOf = (treasury: Uint8Array, name: string) =>
  new Uint8Array(
    createHash('sha256').update(treasury).update(`purser contract suite: ${name}`).digest(),
  );

async function environmentOf(url: string): Promise<Environment> {
  const { ledgerService } = new SuiGrpcClient({ network: 'testnet', baseUrl: url });
  const { chainId } = await ledgerService.getServiceInfo({}).response;
  if (chainId === publicGenesisDigests.mainnet)
    throw new Error('The node serves mainnet: the suite is for test networks.');
  return chainId === publicGenesisDigests.testnet ? 'staging' : 'development';
}

async function pay(
  connection: SuiConnection,
  account: SigningAccount,
  recipient: string,
  amount: bigint,
): Promise<void> {
  const payment = largest(
    await readCoins(connection, { owner: account.address, coinType: suiCoinType }),
  );
  const program = splitProgram([{ amount, recipient }]);
  const { raw } = await signOwn({ priceMax: testConfig().sui.relay.priceMaxMist }, connection, {
    account,
    payment,
    program,
  });
  const transaction = decodeSigned(raw);
  const sent = await sendTransaction(connection, transaction);
  if ('refusal' in sent)
    throw new Error(`${account.address} could not give ${amount} MIST: ${sent.refusal}`);
  for (const endAt = Date.now() + waitMaxMs; ; await delay(200)) {
    const fate = await readFate(connection, transaction);
    if (typeof fate === 'object' && 'failure' in fate && fate.failure === undefined) return;
    if (fate !== 'pending')
      throw new Error(
        `${account.address} could not give ${amount} MIST: does it hold them? ${JSON.stringify(fate, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}`,
      );
    if (Date.now() > endAt) throw new Error(`no checkpoint had ${transaction.digest} in time`);
  }
}

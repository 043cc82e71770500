import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Asset, Keypair, Operation, StrKey } from '@stellar/stellar-sdk';
import { addressValue, amountValue } from '../../../../contracts/stellar/index.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import {
  factorySalt,
  stellarContracts,
  testAssetCode,
} from '../../../config/families/development-stellar.ts';
import {
  type Against,
  type AgainstForm,
  type Ground,
  oneByOne,
  readAgainst,
} from '../../testing/operator-ground.ts';
import { networkFacts, stellarNetwork } from '../config/networks.ts';
import { connectClient, type StellarClient } from './client.ts';

/**
 * Where the suite runs: with a factory of wallets, the contracts of lumens and of a token that the
 * treasury issues.
 */
export interface StellarGround extends Ground {
  readonly factory: string;
  readonly usd: Asset;
  readonly client: StellarClient;
  /** An account with this key and so much, in lumens. */
  open(key: Keypair, lumens: string): Promise<void>;
  /** Lets as much time pass as what custody approves may take. */
  expire(): Promise<void>;
}

const bankLumens = '2000';
/** Ledgers of a quarter of an hour, of six seconds each, and some more. */
const custodyLedgers = 160;
const custodyWindowS = custodyLedgers * 6;
const expireMaxMs = 20 * 60_000;
const keyOf = (seed: Uint8Array) => Keypair.fromRawEd25519Seed(Buffer.from(seed));

const form: AgainstForm = {
  readSeed: (text) =>
    StrKey.isValidEd25519SecretSeed(text)
      ? new Uint8Array(StrKey.decodeEd25519SecretSeed(text))
      : undefined,
  key: 'the secret key of an account, S…',
  token: /^C[A-Z2-7]{55}$/,
  tokenIs: 'the contract of an asset, C…',
};

/**
 * A local chain or, by `npm run contract-suite`, an operator's test network: what is given there
 * comes from the treasury.
 */
export async function openGround(env: NodeJS.ProcessEnv): Promise<StellarGround> {
  const against = readAgainst(env, form);
  return against ? operatorGround(against) : localGround();
}

async function localGround(): Promise<StellarGround> {
  const chain = await startStellarChain({ ledgerMs: 500 });
  const treasurySeed = new Uint8Array(randomBytes(32));
  const issuer = keyOf(treasurySeed);
  chain.fund(issuer.publicKey(), 10n ** 16n);
  for (const asset of [Asset.native(), new Asset(testAssetCode, issuer.publicKey())])
    chain.run(issuer, Operation.createStellarAssetContract({ asset }));
  return equip(connectClient(chain.url), {
    url: chain.url,
    environment: 'development',
    treasurySeed,
    expire: () => chain.advanceTime(custodyWindowS),
    stop: () => chain.stop(),
  });
}

async function operatorGround({
  url,
  treasurySeed,
  testTokenAddress,
}: Against): Promise<StellarGround> {
  const client = connectClient(url, networkFacts.testnet.passphrase);
  const passphrase = await client.passphrase();
  const environment = passphrase === networkFacts.local.passphrase ? 'development' : 'staging';
  const { passphrase: expected } = stellarNetwork(environment);
  if (passphrase !== expected)
    throw new Error(`The node serves "${passphrase}": the suite is for "${expected}".`);
  const issued = new Asset(testAssetCode, keyOf(treasurySeed).publicKey()).contractId(passphrase);
  if (issued !== testTokenAddress)
    throw new Error(
      `CONTRACT_SUITE_TEST_TOKEN is ${issued}, the contract of ${testAssetCode} of this treasury; it has to be deployed.`,
    );
  return equip(connectClient(url, passphrase), {
    url,
    environment,
    treasurySeed,
    expire: () => waitLedgers(client, custodyLedgers),
    stop: async () => undefined,
  });
}

async function waitLedgers(client: StellarClient, count: number): Promise<void> {
  const end = (await client.latestLedger()) + count;
  for (
    const endAt = Date.now() + expireMaxMs;
    (await client.latestLedger()) < end;
    await delay(500)
  )
    if (Date.now() > endAt) throw new Error(`no ${count} ledgers in ${expireMaxMs} ms`);
}

type Bare = Pick<StellarGround, 'url' | 'environment' | 'treasurySeed' | 'expire' | 'stop'>;

async function equip(client: StellarClient, bare: Bare): Promise<StellarGround> {
  const { passphrase, nativeContract } = stellarNetwork(bare.environment);
  const [issuer, bank] = [keyOf(bare.treasurySeed), Keypair.random()];
  const open = (source: Keypair, destination: string, startingBalance: string) =>
    client.send(source, [Operation.createAccount({ destination, startingBalance })]);
  // The treasury mints while the suite runs: what is given comes from an account of its own.
  await open(issuer, bank.publicKey(), bankLumens);
  await client.upload(bank, readFileSync(stellarContracts.wallet));
  const factory = await client.deploy(bank, readFileSync(stellarContracts.factory), factorySalt());
  const usd = new Asset(testAssetCode, issuer.publicKey());
  const give = oneByOne(async (address, amountMinor) => {
    if (address.startsWith('G') && !(await client.hasAccount(address)))
      return void (await open(bank, address, formatLumens(amountMinor)));
    const args = [addressValue(bank.publicKey()), addressValue(address), amountValue(amountMinor)];
    await client.invoke(
      bank,
      Operation.invokeContractFunction({ contract: nativeContract, function: 'transfer', args }),
    );
  });
  return {
    ...bare,
    client,
    factory,
    usd,
    testTokenAddress: usd.contractId(passphrase),
    plentyNativeMinor: 1_000_000_000n,
    give,
    open: (key, lumens) => give(key.publicKey(), BigInt(lumens) * 10n ** 7n),
  };
}

const formatLumens = (stroops: bigint) =>
  `${stroops / 10n ** 7n}.${(stroops % 10n ** 7n).toString().padStart(7, '0')}`;

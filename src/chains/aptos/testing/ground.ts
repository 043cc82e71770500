import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { startAptosChain } from '../../../../devnet/aptos/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import type { Environment } from '../../../context.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import {
  type Against,
  type AgainstForm,
  type Ground,
  oneByOne,
  readAgainst,
} from '../../testing/operator-ground.ts';
import { aptosNetwork, networkIds, testToken } from '../config/networks.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { createTreasury } from '../relay/treasury.ts';
import { connectNode } from '../rpc/node.ts';
import { createAptosRest } from '../rpc/rest.ts';

const funded = 1_000_000_000_000n;
const addressOf = (seed: Uint8Array) => addressOfEd25519(ed25519.getPublicKey(seed));

/** A local chain of its own. */
async function localGround(): Promise<Ground> {
  const chain = await startAptosChain();
  const treasurySeed = new Uint8Array(randomBytes(32));
  const testTokenAddress = `0x${randomBytes(32).toString('hex')}`;
  const { name, symbol, decimals } = testToken;
  chain.addAsset(testTokenAddress, { name, symbol: symbol.toUpperCase(), decimals });
  chain.give(testTokenAddress, addressOf(treasurySeed), funded);
  const give = async (address: string, amountMinor: bigint) =>
    chain.give(readAssetName('0xa'), address, amountMinor);
  await give(addressOf(treasurySeed), funded);
  return {
    url: chain.url,
    environment: 'development',
    treasurySeed,
    testTokenAddress,
    give,
    stop: () => chain.stop(),
  };
}

const form: AgainstForm = {
  readSeed: (text) =>
    /^(?:ed25519-priv-)?(?:0x)?[0-9a-fA-F]{64}$/.test(text)
      ? new Uint8Array(Buffer.from(text.slice(-64), 'hex'))
      : undefined,
  key: 'an Ed25519 private key of 64 hexadecimal digits',
  token: /^0x[0-9a-fA-F]{64}$/,
  tokenIs: 'the address of a fungible asset',
};

const waitMaxMs = 60_000;

/**
 * A local chain or, by `npm run contract-suite`, an operator's test network: what is given there
 * comes from the treasury.
 */
export async function openGround(env: NodeJS.ProcessEnv): Promise<Ground> {
  const against = readAgainst(env, form);
  return against ? operatorGround(against) : localGround();
}

async function operatorGround({
  url,
  treasurySeed,
  testTokenAddress: token,
}: Against): Promise<Ground> {
  const { ledger } = await createAptosRest({ url, timeoutMs: 10_000 }).get('');
  if (ledger.chainId === networkIds.mainnet)
    throw new Error('The node serves mainnet: the suite is for test networks.');
  const environment: Environment =
    ledger.chainId === networkIds.testnet ? 'staging' : 'development';
  const network = aptosNetwork(environment, { testTokenAddress: token.toLowerCase() });
  const node = await connectNode({
    network,
    url,
    setting: 'CONTRACT_SUITE_RPC_URL',
    timeoutMs: 10_000,
  });
  const { topUps } = createTreasury({
    connect: async () => node,
    key: new Secret(treasurySeed),
    ceilings: testConfig().aptos.relay,
  });
  return {
    url,
    environment,
    treasurySeed,
    testTokenAddress: token.toLowerCase(),
    give: oneByOne(async (address, amountMinor) => {
      const sent = await topUps.sign([address], amountMinor);
      await topUps.send(sent.raw);
      const isDone = async () => typeof (await topUps.look(sent)) === 'object';
      for (const endAt = Date.now() + waitMaxMs; !(await isDone()); await delay(200))
        if (Date.now() > endAt)
          throw new Error(`the treasury could not give ${amountMinor} octas: does it hold them?`);
    }),
    stop: async () => undefined,
  };
}

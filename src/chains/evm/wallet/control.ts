import { decodeFunctionResult, encodeFunctionData, toEventSelector } from 'viem';
import { z } from 'zod';
import {
  addresses,
  decodeSignerOf,
  encodeSignerOf,
  type SignerState,
  safeAbi,
  signerIdOf,
  walletModuleAbi,
} from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type {
  ControlSigner,
  ControlTools,
  WalletControl,
} from '../../family/capabilities/delegates.ts';
import { notDeployed, signerDifferences } from '../../family/smart-wallets/control.ts';
import { keccakOfText } from '../abi/keccak.ts';
import { checksumAddress, type Hex, wordOf, wordOfAddress } from '../abi/words.ts';
import { type EvmConnection, type EvmConnections, hasCode, nodeError } from '../rpc/connections.ts';
import type { RpcCall, RpcResult } from '../rpc/rpc.ts';
import { signerKeyOf } from './signer-keys.ts';
import { ownerOf, readSafeSetup } from './wallet-plan.ts';

/**
 * Who can move a wallet, from the chain alone: what a thief may have added stands there and nowhere
 * else.
 */

const signerAdded = toEventSelector(
  walletModuleAbi.find(
    (entry) => entry.type === 'event' && entry.name === 'SignerAdded',
  ) as Extract<(typeof walletModuleAbi)[number], { type: 'event'; name: 'SignerAdded' }>,
);
/** Where a Safe 1.4.1 keeps them. */
const guardSlot = `0x${keccakOfText('guard_manager.guard.address')}`;
const handlerSlot = `0x${keccakOfText('fallback_manager.handler.address')}`;
const sentinel = '0x0000000000000000000000000000000000000001';
const modulesMax = 50;
/** Requests for logs: a node that refuses long ranges is asked for shorter ones. */
const logRequestsMax = 2_000;
const signersMax = 500;
const forever = 2 ** 48 - 1;

type Input = Parameters<ControlTools['read']>[0];

/**
 * As {@link ControlTools.read}.
 * @throws chain-not-supported, upstream-error, provider-unavailable
 */
export async function readEvmControl(
  connections: EvmConnections,
  { wallet, chain, known }: Input,
): Promise<WalletControl> {
  const connection = await connections.connect(chain);
  const address = wallet.address.toLowerCase() as Hex;
  const [code] = await connection.ask([{ method: 'eth_getCode', params: [address, 'latest'] }]);
  if (!code!.ok) throw nodeError(code!.error, connection.network.name);
  if (!hasCode(code!)) return notDeployed;
  const ids = await findSignerIds(connection, address);
  const facts = await readFacts(connection, address);
  const states = await readStates(connection, address, ids);
  const locators = new Map(
    known.map(({ signer }) => [signerIdOf(signerKeyOf(signer)), signer.locator]),
  );
  const signers = ids.flatMap((id, index) =>
    states[index]!.active ? [toSigner(id, states[index]!, locators.get(id))] : [],
  );
  const { singleton: _, ...shown } = facts;
  const registered = new Set<string>(signers.map(({ id }) => id));
  const missing = known
    .filter(({ signer, inForce }) => inForce && !registered.has(signerIdOf(signerKeyOf(signer))))
    .map(({ signer }) => signer.locator);
  return {
    deployed: true,
    ...shown,
    signers,
    missing,
    differences: findDifferences(wallet, facts, { signers, missing }),
  };
}

interface Facts {
  readonly owners: readonly string[];
  readonly threshold: number;
  readonly modules: readonly string[];
  readonly guard?: string;
  readonly fallbackHandler?: string;
  readonly singleton: string | undefined;
  readonly epoch: number;
}

async function readFacts(connection: EvmConnection, wallet: Hex): Promise<Facts> {
  const call = (to: Hex, data: Hex): RpcCall => ({
    method: 'eth_call',
    params: [{ to, data }, 'latest'],
  });
  const slot = (at: string): RpcCall => ({
    method: 'eth_getStorageAt',
    params: [wallet, at, 'latest'],
  });
  const results = await connection.ask([
    call(wallet, encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' })),
    call(wallet, encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' })),
    call(
      wallet,
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'getModulesPaginated',
        args: [sentinel, BigInt(modulesMax)],
      }),
    ),
    call(
      addresses.walletModule,
      encodeFunctionData({
        abi: walletModuleAbi,
        functionName: 'epochOf',
        args: [wallet, `0x${wordOf(0)}`],
      }),
    ),
    slot(guardSlot),
    slot(handlerSlot),
    slot('0x0'),
  ]);
  const [owners, threshold, modules, epoch, guard, handler, singleton] = results.map((result) =>
    hexOf(result, connection),
  );
  const optional = (word: Hex | undefined) => addressOf(word);
  const [guardAddress, handlerAddress] = [optional(guard), optional(handler)];
  return {
    owners: decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data: owners! }),
    threshold: Number(
      decodeFunctionResult({ abi: safeAbi, functionName: 'getThreshold', data: threshold! }),
    ),
    modules: decodeFunctionResult({
      abi: safeAbi,
      functionName: 'getModulesPaginated',
      data: modules!,
    })[0],
    epoch: Number(BigInt(epoch!) >> 32n),
    ...(guardAddress !== undefined && { guard: guardAddress }),
    ...(handlerAddress !== undefined && { fallbackHandler: handlerAddress }),
    singleton: optional(singleton),
  };
}

function hexOf(result: RpcResult, { network }: EvmConnection): Hex {
  if (!result.ok) throw nodeError(result.error, network.name);
  if (typeof result.value !== 'string' || !/^0x[0-9a-f]+$/i.test(result.value))
    throw nodeError(undefined, network.name);
  return result.value as Hex;
}

/** Undefined for the zero address. */
function addressOf(word: Hex | undefined): string | undefined {
  const digits = (word ?? '0x').slice(2).padStart(64, '0').slice(24);
  return /^0*$/.test(digits) ? undefined : checksumAddress(`0x${digits}`);
}

const logsSchema = z.array(
  z.object({ topics: z.array(z.string().regex(/^0x[0-9a-f]{64}$/i)).length(3) }),
);

/** Every id that was ever registered, the first one first. */
async function findSignerIds(connection: EvmConnection, wallet: Hex): Promise<Hex[]> {
  const [head] = await connection.ask([{ method: 'eth_blockNumber', params: [] }]);
  const ranges: [from: number, to: number][] = [[0, Number(hexOf(head!, connection))]];
  const ids = new Set<Hex>();
  for (let requests = 0; ranges.length > 0; requests++) {
    if (requests === logRequestsMax)
      throw new ServiceError('upstream-error', {
        message: `The node of "${connection.network.name}" gives logs of short ranges only: ask one that keeps an index of all blocks.`,
      });
    const [from, to] = ranges.pop()!;
    const filter = {
      address: addresses.walletModule,
      topics: [signerAdded, `0x${wordOfAddress(wallet)}`],
      fromBlock: hexNumber(from),
      toBlock: hexNumber(to),
    };
    const [result] = await connection.ask([{ method: 'eth_getLogs', params: [filter] }]);
    if (!result!.ok) {
      if (from === to) throw nodeError(result!.error, connection.network.name);
      const middle = Math.floor((from + to) / 2);
      ranges.push([middle + 1, to], [from, middle]);
      continue;
    }
    const logs = logsSchema.safeParse(result!.value);
    if (!logs.success) throw nodeError(logs.error, connection.network.name);
    for (const { topics } of logs.data) ids.add(topics[2] as Hex);
    if (ids.size > signersMax)
      throw new ServiceError('upstream-error', {
        message: `The wallet had more than ${signersMax} delegated signers.`,
      });
  }
  return [...ids];
}

const hexNumber = (value: number): Hex => `0x${value.toString(16)}`;

async function readStates(
  connection: EvmConnection,
  wallet: Hex,
  ids: readonly Hex[],
): Promise<SignerState[]> {
  if (ids.length === 0) return [];
  const results = await connection.ask(
    ids.map((id) => ({
      method: 'eth_call',
      params: [{ to: addresses.walletModule, data: encodeSignerOf(wallet, id) }, 'latest'],
    })),
  );
  return results.map((result) => decodeSignerOf(hexOf(result, connection)));
}

function toSigner(
  id: Hex,
  { validAfter, validUntil, scopes }: SignerState,
  locator: string | undefined,
): ControlSigner {
  return {
    id,
    ...(locator !== undefined && { locator }),
    ...(validAfter > 0 && { validAfter: new Date(validAfter * 1000) }),
    ...(validUntil < forever && { validUntil: new Date(validUntil * 1000) }),
    scopeCount: scopes.length,
  };
}

function findDifferences(
  wallet: Input['wallet'],
  facts: Facts,
  found: Pick<WalletControl, 'signers' | 'missing'>,
): string[] {
  const setup = readSafeSetup(wallet.setup);
  const planned = setup.form === 'owner' ? [setup.owner] : setup.owners.map(ownerOf);
  const threshold = setup.form === 'owner' ? 1 : setup.threshold;
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const has = (list: readonly string[], one: string) => list.some((entry) => same(entry, one));
  const handler = facts.fallbackHandler ?? 'none';
  return [
    ...facts.owners
      .filter((owner) => !has(planned, owner))
      .map((owner) => `${owner} owns the wallet and was not set up as an owner.`),
    ...planned
      .filter((owner) => !has(facts.owners, owner))
      .map((owner) => `${owner} was set up as an owner and is none.`),
    ...(facts.threshold === threshold
      ? []
      : [`${facts.threshold} of the owners act together; ${threshold} were set up.`]),
    ...facts.modules
      .filter((module) => !same(module, addresses.walletModule))
      .map(
        (module) =>
          `${module} is a module: it moves the wallet by its own rules, without a signature.`,
      ),
    ...(has(facts.modules, addresses.walletModule)
      ? []
      : ['The wallet module is not enabled: nothing that is signed here runs.']),
    ...(facts.guard === undefined
      ? []
      : [`${facts.guard} is a guard: it can stop what the owners do.`]),
    ...(same(handler, addresses.signatureHandler)
      ? []
      : [
          `The fallback handler is ${handler} and not ${addresses.signatureHandler}: it says what the wallet has signed.`,
        ]),
    ...(facts.singleton && same(facts.singleton, addresses.safeSingleton)
      ? []
      : ['The wallet runs other code than it was set up with.']),
    ...signerDifferences(found),
  ];
}

import type { Logger } from 'pino';
import { z } from 'zod';
import { addresses } from '../../../../contracts/generated.ts';
import type { Config } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { type EvmNetwork, starOf, testNameOf } from '../config/networks.ts';
import {
  createRpc,
  type RpcCall,
  type RpcClient,
  RpcError,
  type RpcResult,
  RpcTransportError,
} from './rpc.ts';

/** A node that was asked who it is, and answered rightly. */
export interface EvmConnection {
  readonly network: EvmNetwork;
  readonly chainId: number;
  /**
   * Sends calls together with those of everybody else who is waiting: many simulations travel in
   * one HTTP request.
   * @throws upstream-error, provider-unavailable
   */
  ask(calls: readonly RpcCall[]): Promise<RpcResult[]>;
}

export interface EvmConnections {
  /** @throws chain-not-supported */
  requireNetwork(chain: string): EvmNetwork;
  /**
   * The verified node of a chain. Its first use asks for chain id and our contracts; the answer is
   * kept when it is right.
   * @throws chain-not-supported, upstream-error, provider-unavailable
   */
  connect(chain: string): Promise<EvmConnection>;
  /**
   * The second, independent node of a chain, asked who it is; undefined where none is configured.
   * @throws as {@link connect}
   */
  connectSecond(
    chain: string,
  ): Promise<{ readonly connection: EvmConnection; readonly rpc: RpcClient } | undefined>;
  /** The bare client, for relay and watcher. @throws chain-not-supported */
  rpcOf(chain: string): RpcClient;
  /**
   * Chain id of the row, or as the node told; where it is still to be asked, this asks and refuses
   * once.
   * @throws chain-not-supported, provider-unavailable
   */
  chainIdOf(chain: string): number;
  /** Configured networks that this environment may use. */
  usableNetworks(): readonly EvmNetwork[];
  close(): void;
}

/** Name of the setting that holds a network's node address. */
export function rpcSettingOf(chain: string): string {
  return `EVM_RPC_URL_${starOf(chain)}`;
}

export interface ConnectionsDeps {
  readonly config: Config;
  readonly networks: readonly EvmNetwork[];
  readonly log: Logger;
  /** Told once per process when a chain's node was verified; a failure is one of the connection. */
  readonly onFirstUse: (chain: string) => Promise<void>;
}

export function createConnections({
  config,
  networks,
  log,
  onFirstUse,
}: ConnectionsDeps): EvmConnections {
  const byName = new Map(networks.map((network) => [network.name, network]));
  const clients = new Map<string, RpcClient>();
  const verified = new Map<string, Promise<EvmConnection>>();
  const chainIds = new Map<string, number>();
  const isProduction = config.environment === 'production';
  const usable = networks.filter(
    (network) => network.testnet !== isProduction && config.evm.rpcUrls.has(network.name),
  );

  function requireNetwork(chain: string): EvmNetwork {
    const asked = byName.get(chain);
    if (!asked)
      throw notSupported(`The chain "${chain.slice(0, 64)}" is not an EVM chain known here.`);
    const network = ofEnvironment(asked);
    if (!config.evm.rpcUrls.has(network.name))
      throw notSupported(
        `The chain "${network.name}" has no node on this instance: its operator sets ${rpcSettingOf(network.name)}.`,
      );
    return network;
  }

  /**
   * Outside production main names stand for their test networks (supplement, sections 19.9 and 20);
   * production refuses test names.
   */
  function ofEnvironment(asked: EvmNetwork): EvmNetwork {
    if (asked.testnet !== isProduction) return asked;
    if (isProduction)
      throw notSupported(
        `The chain "${asked.name}" is a test network, and this is a production instance.`,
      );
    const testName = testNameOf(asked.name);
    const test = testName === undefined ? undefined : byName.get(testName);
    if (!test)
      throw notSupported(
        `The chain "${asked.name}" is a main network without a test network that stands for it, and this instance serves test networks only.`,
      );
    return test;
  }

  function notSupported(reason: string): ServiceError {
    const names = usable.map((network) => network.name);
    const hint =
      names.length === 0
        ? 'No EVM chain is configured here.'
        : `Available: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`;
    return new ServiceError('chain-not-supported', { message: `${reason} ${hint}` });
  }

  function rpcOf(chain: string): RpcClient {
    const network = requireNetwork(chain);
    let client = clients.get(network.name);
    if (!client) {
      client = createRpc({
        url: config.evm.rpcUrls.get(network.name)!,
        timeoutMs: config.evm.rpcTimeoutMs,
      });
      clients.set(network.name, client);
    }
    return client;
  }

  async function open(network: EvmNetwork): Promise<EvmConnection> {
    const ask = createAsk(network.name, rpcOf(network.name));
    const chainId = await verifyNode(network, ask);
    await onFirstUse(network.name);
    chainIds.set(network.name, chainId);
    log.info({ chain: network.name, chainId }, 'node verified');
    return { network, chainId, ask };
  }

  const seconds = new Map<string, RpcClient>();
  const verifiedSeconds = new Map<string, Promise<EvmConnection>>();

  async function connectSecond(chain: string) {
    const network = requireNetwork(chain);
    const url = config.evm.secondRpcUrls?.get(network.name);
    if (url === undefined) return undefined;
    const rpc = seconds.get(network.name) ?? createRpc({ url, timeoutMs: config.evm.rpcTimeoutMs });
    seconds.set(network.name, rpc);
    let connection = verifiedSeconds.get(network.name);
    if (!connection) {
      const ask = createAsk(network.name, rpc);
      connection = verifyNode(network, ask).then((chainId) => ({ network, chainId, ask }));
      verifiedSeconds.set(network.name, connection);
      connection.catch(() => verifiedSeconds.delete(network.name));
    }
    return { connection: await connection, rpc };
  }

  function connect(chain: string): Promise<EvmConnection> {
    const network = requireNetwork(chain);
    let connection = verified.get(network.name);
    if (!connection) {
      connection = open(network);
      verified.set(network.name, connection);
      connection.catch(() => verified.delete(network.name));
    }
    return connection;
  }

  function chainIdOf(chain: string): number {
    const network = requireNetwork(chain);
    const chainId = network.chainId ?? chainIds.get(network.name);
    if (chainId !== undefined) return chainId;
    connect(network.name).catch((error: unknown) =>
      log.warn({ err: error, chain: network.name }, 'the node could not be verified'),
    );
    throw new ServiceError('provider-unavailable', {
      message: `The node of "${network.name}" is being asked for its chain id: retry.`,
    });
  }

  function close(): void {
    for (const client of [...clients.values(), ...seconds.values()]) client.close();
  }

  return {
    requireNetwork,
    connect,
    connectSecond,
    rpcOf,
    chainIdOf,
    usableNetworks: () => usable,
    close,
  };
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);
const neededContracts = {
  WalletModule: addresses.walletModule,
  BatchExecutor: addresses.batchExecutor,
  WalletSetup: addresses.walletSetup,
  SignatureHandler: addresses.signatureHandler,
  SignerVerifier: addresses.signerVerifier,
  SignerOwnerFactory: addresses.signerOwnerFactory,
  Safe: addresses.safeSingleton,
  SafeProxyFactory: addresses.safeProxyFactory,
};

async function verifyNode(network: EvmNetwork, ask: EvmConnection['ask']): Promise<number> {
  const contracts = Object.entries(neededContracts);
  const [id, ...codes] = await ask([
    { method: 'eth_chainId', params: [] },
    ...contracts.map(([, address]) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  ]);
  const chainId = quantity.safeParse(id?.ok ? id.value : undefined).data;
  if (chainId === undefined)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" does not tell its chain id.`,
      cause: id?.ok === false ? id.error : undefined,
    });
  if (network.chainId !== undefined && chainId !== network.chainId) {
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" serves chain id ${chainId} instead of ${network.chainId}: its operator corrects ${rpcSettingOf(network.name)}.`,
    });
  }
  const missing = contracts.filter((_, index) => !hasCode(codes[index]!)).map(([name]) => name);
  if (missing.length > 0) {
    throw new ServiceError('chain-not-supported', {
      message: `The contracts of this service are not deployed on "${network.name}" yet (missing: ${missing.join(', ')}): its operator runs \`purser chains deploy ${network.name}\`.`,
    });
  }
  return chainId;
}

/** @throws upstream-error when the node refused to tell */
export function hasCode(result: RpcResult): boolean {
  if (!result.ok) throw nodeError(result.error);
  return typeof result.value === 'string' && result.value.length > 2;
}

/** What a caller may read of a node's failure; the node's own words go to the log. */
export function nodeError(error: unknown, chain?: string): ServiceError {
  const of = chain === undefined ? '' : ` of "${chain}"`;
  if (error instanceof RpcTransportError && error.kind !== 'malformed')
    return new ServiceError('provider-unavailable', {
      message: `The node${of} is not reachable: retry later.`,
      cause: error,
    });
  return new ServiceError('upstream-error', {
    message: `The node${of} answered wrongly: retry later.`,
    cause: error,
  });
}

const requestsInFlightMax = 4;
/**
 * What a request costs beside its calls is most of a lone one: a third and a fourth at once are for
 * those of many callers.
 */
const requestsInFlightOfFew = 2;
const callsOfMany = 16;
const callsPerRequestMax = 60;

interface Waiting {
  readonly calls: readonly RpcCall[];
  readonly resolve: (results: RpcResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * While some requests are under way, what comes in waits and leaves as one: the busier, the larger
 * the requests.
 */
function createAsk(chain: string, rpc: RpcClient): EvmConnection['ask'] {
  let queue: Waiting[] = [];
  let inFlight = 0;

  function flush(): void {
    while (
      queue.length > 0 &&
      inFlight < (queue.length < callsOfMany ? requestsInFlightOfFew : requestsInFlightMax)
    ) {
      let callCount = 0;
      let taken = 0;
      while (
        taken < queue.length &&
        (taken === 0 || callCount + queue[taken]!.calls.length <= callsPerRequestMax)
      )
        callCount += queue[taken++]!.calls.length;
      const group = queue.slice(0, taken);
      queue = queue.slice(taken);
      inFlight++;
      void send(group).finally(() => {
        inFlight--;
        flush();
      });
    }
  }

  async function send(group: readonly Waiting[]): Promise<void> {
    try {
      const calls = group.flatMap((waiting) => waiting.calls);
      const results =
        calls.length === 1 ? [await requestOne(rpc, calls[0]!)] : await rpc.batch(calls);
      let at = 0;
      for (const { calls: own, resolve } of group) resolve(results.slice(at, (at += own.length)));
    } catch (error) {
      const failure = nodeError(error, chain);
      for (const { reject } of group) reject(failure);
    }
  }

  return (calls) =>
    new Promise((resolve, reject) => {
      queue.push({ calls, resolve, reject });
      // Whatever is asked in the same turn of the loop leaves together.
      if (queue.length === 1 || queue.length === callsOfMany) setImmediate(flush);
    });
}

async function requestOne(rpc: RpcClient, call: RpcCall): Promise<RpcResult> {
  try {
    return { ok: true, value: await rpc.request(call.method, call.params) };
  } catch (error) {
    if (error instanceof RpcError) return { ok: false, error };
    throw error;
  }
}

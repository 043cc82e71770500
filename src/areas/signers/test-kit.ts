import { createHash } from 'node:crypto';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import type {
  ChainFamily,
  Delegate,
  DelegateTruth,
  Network,
  Signer,
  SignerChange,
  SubmitOperationInput,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { createManualClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { createLocalCustody } from '../../providers/custody/local.ts';
import { createSandboxPricing } from '../../providers/pricing/sandbox.ts';
import { createSandboxScreening } from '../../providers/screening/sandbox.ts';
import { anAddress, approvalOf, createTestFamily, windowMs } from '../approvals/test-kit.ts';
import { chainEntrances } from '../chain-entrances.ts';
import { signatureRoutes } from '../signatures/routes.ts';
import { transactionRoutes } from '../transactions/routes.ts';
import { keyIdOf, readScope, storeScope } from '../wallets/index.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { termsKey } from './addition.ts';
import { signerRoutes } from './routes.ts';

/**
 * Signers with a chain that a test holds in its hand: operations land when the test says so, and
 * the chain can be changed behind the service's back. What the contracts do is tested with the real
 * family.
 */

export const [chainA, chainB] = ['base-sepolia', 'optimism-sepolia'] as const;
const networks = [chainA, chainB].map(
  (name) =>
    ({
      name,
      chainType: 'evm',
      testnet: true,
      native: { symbol: 'eth', decimals: 18 },
      tokens: [],
    }) as unknown as Network,
);
export const usdc = '0x00000000000000000000000000000000000000aa';

/** What a chain knows of signers: `<chain> <wallet> <key>` → terms. */
export type ChainSigners = Map<string, string>;

export interface SignersWorld {
  readonly api: TestApi;
  readonly ctx: Ctx;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly family: ChainFamily;
  readonly onChain: ChainSigners;
  /** Operations that were handed to the relay and have not landed. */
  readonly queue: SubmitOperationInput[];
  /** Set: nodes do not answer. */
  outage: boolean;
  /** Runs before every operation is prepared: what happens meanwhile, or what the node says. */
  beforePrepare?: (() => Promise<void>) | undefined;
  /** Runs once after the chain was read and before its answer arrives. */
  afterRead?: (() => Promise<void>) | undefined;
  /** Lands what is queued, in its order or the given one; what the chain refuses fails. */
  land(options?: { only?: readonly string[]; fail?: boolean }): Promise<void>;
  /** Tells the outcome of an operation that has landed before once more. */
  settle(operationId: string, status: 'success' | 'failed'): Promise<void>;
  chainKey(chain: string, walletAddress: string, signer: Signer): string;
  close(): Promise<void>;
}

const sha256 = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);

interface StoredChange {
  readonly kind: 'add' | 'remove';
  readonly key: string;
  readonly terms: string;
}

export async function startSignersWorld(): Promise<SignersWorld> {
  const onChain: ChainSigners = new Map();
  const queue: SubmitOperationInput[] = [];
  const subjects = new Map<string, string>();
  const setUps = new Map<string, readonly Delegate[]>();
  const clock = createManualClock();
  const world: Pick<SignersWorld, 'outage' | 'afterRead' | 'beforePrepare'> = { outage: false };
  const base = createTestFamily().family;
  const chainKey = (chain: string, address: string, signer: Signer) =>
    `${chain} ${address} ${keyIdOf(family, signer)}`;
  const knownTerms = (chain: string, address: string, signer: Signer) => {
    const own = onChain.get(chainKey(chain, address, signer));
    if (own !== undefined) return own;
    const setUp = setUps
      .get(address)
      ?.find((one) => keyIdOf(family, one.signer) === keyIdOf(family, signer));
    return setUp && termsKey(family, setUp);
  };
  const family: ChainFamily = {
    ...base,
    networks,
    adminSignerTypes: [
      'external-wallet',
      'server',
      'api-key',
      'email',
      'phone',
      'passkey',
      'quorum',
    ],
    completeSigner: (signer) =>
      signer.type === 'passkey' ? { ...signer, validatorContractVersion: '1' } : signer,
    checkAddress: (text) =>
      isAddress(text) ? undefined : 'is not an address of the evm family: 0x and 40 hex characters',
    isRecipient: isAddress,
    formatAddress: (address) => `0x${address.slice(2).toUpperCase()}`,
    planWallet: (input) => {
      if (input.type !== 'smart') return base.planWallet(input);
      const { adminSigner, recoveryMethods = [adminSigner], delegates = [], creationSeed } = input;
      const keys = [
        recoveryMethods.map((one) => keyIdOf(family, one)),
        delegates.map((one) => [keyIdOf(family, one.signer), one.expiresAt]),
      ];
      const address = sha256(JSON.stringify([keys, creationSeed])).slice(0, 42);
      setUps.set(address, delegates);
      return { address, setup: {} };
    },
    requireNetwork: (name) => {
      const found = networks.find(
        (network) => network.name === name || network.name === `${name}-sepolia`,
      );
      if (!found) throw new ServiceError('chain-not-supported');
      return found;
    },
    async resolveToken(chain, token) {
      if ('symbol' in token && token.symbol !== 'usdc')
        throw new ServiceError('token-not-supported');
      const address = 'symbol' in token ? usdc : token.address;
      return { chain, locator: `${chain}:${address}`, address, decimals: 6, symbol: 'usdc' };
    },
    readSigned: (signable) => ({
      ...base.readSigned(signable),
      ...(signable['chain'] === undefined ? {} : { chain: String(signable['chain']) }),
    }),
    delegates: {
      delegatedSignerTypes: [
        'external-wallet',
        'server',
        'api-key',
        'email',
        'phone',
        'passkey',
        'device',
        'quorum',
      ],
      async prepareSignerChange({ wallet, chain, change, approver, now }) {
        if (world.outage) throw new ServiceError('upstream-error');
        await world.beforePrepare?.();
        const operation = {
          message: sha256(
            JSON.stringify([now, approver.locator, changeOf(wallet.address, chain, change)]),
          ),
        };
        const validUntil = new Date(now.getTime() + windowMs);
        return {
          chain,
          params: { chain, calls: [] },
          operation: {
            ...operation,
            chain,
            wallet: wallet.address,
            change: changeOf(wallet.address, chain, change) as unknown as JsonObject,
          },
          onChain: { userOperationHash: operation.message },
          message: operation.message,
          validUntil,
          feesEstimate: {},
          counterparties: [],
          typedData: { primaryType: 'Operation' },
        };
      },
      async readDelegates(wallet, chain, delegates) {
        if (world.outage) throw new ServiceError('upstream-error');
        const truths = delegates.map((one): DelegateTruth => {
          const terms = knownTerms(chain, wallet.address, one.signer);
          if (terms === undefined || terms === 'removed') return 'absent';
          return terms === termsKey(family, one) ? 'same' : 'different';
        });
        const { afterRead } = world;
        world.afterRead = undefined;
        await afterRead?.();
        return truths;
      },
      async readLimits({ signers }) {
        if (world.outage) throw new ServiceError('upstream-error');
        return signers.map(() => undefined);
      },
    },
    async submitOperations(tx, inputs) {
      tx.afterCommit(() => {
        for (const { operationId, subject } of inputs) subjects.set(operationId, subject);
        queue.push(...inputs);
      });
    },
  };

  function changeOf(address: string, chain: string, change: SignerChange): StoredChange {
    if (change.kind === 'remove')
      return { kind: 'remove', key: chainKey(chain, address, change.signer), terms: 'removed' };
    const { signer, expiresAt, scopes } = change.delegate;
    // A family keeps operations as JSON: what it was handed must survive that.
    const stored = (
      JSON.parse(JSON.stringify(scopes.map(storeScope))) as Parameters<typeof readScope>[0][]
    ).map(readScope);
    const terms = termsKey(family, {
      scopes: stored,
      expiresAt,
    });
    return { kind: 'add', key: chainKey(chain, address, signer), terms };
  }

  const api = await startTestApi({
    routes: [...walletRoutes, ...signerRoutes, ...transactionRoutes, ...signatureRoutes],
    clock,
    families: [family],
    providers: (ctx) => ({
      custody: createLocalCustody({ sealer: createSealer(ctx.config.keyEncryptionKeys), clock }),
      pricing: createSandboxPricing(),
      screening: createSandboxScreening(),
    }),
  });
  const { ctx } = api;

  async function settle(operationId: string, status: 'success' | 'failed'): Promise<void> {
    const base = {
      operationId,
      subject: subjects.get(operationId)!,
      onChain: { txId: sha256(operationId) },
      fees: {},
      at: clock.now(),
    };
    const outcome =
      status === 'success'
        ? { ...base, status }
        : {
            ...base,
            status,
            error: { reason: 'execution_reverted' as const, message: 'The chain refused it.' },
          };
    await ctx.store.transaction((tx) =>
      chainEntrances(ctx, family).settleOperations(tx, [outcome]),
    );
  }

  return Object.assign(world, {
    api,
    ctx,
    clock,
    family,
    onChain,
    queue,
    settle,
    chainKey,
    async land({ only, fail = false }: { only?: readonly string[]; fail?: boolean } = {}) {
      const ids = only ?? queue.map(({ operationId }) => operationId);
      for (const id of ids) {
        const at = queue.findIndex(({ operationId }) => operationId === id);
        const [input] = queue.splice(at, 1);
        const change = input!.operation['change'] as unknown as StoredChange | undefined;
        const isUnknown = change?.kind === 'remove' && isAbsent(input!, change.key);
        const refused = fail || isUnknown;
        if (change && !refused) onChain.set(change.key, change.terms);
        await settle(id, refused ? 'failed' : 'success');
      }
    },
    close: () => api.close(),
  });

  /** The module reverts when a signer that is not there is removed. */
  function isAbsent({ wallet }: SubmitOperationInput, key: string): boolean {
    const own = onChain.get(key);
    if (own !== undefined) return own === 'removed';
    return !(setUps.get(wallet.address) ?? []).some((one) =>
      key.endsWith(keyIdOf(family, one.signer)),
    );
  }
}

const walletsPath = '/2025-06-09/wallets';

interface Addressed {
  readonly address: string;
}

/** The calls of a caller that manages signers. */
export function callsOf(world: () => SignersWorld) {
  let words = 0;
  const fresh = (word: string) => anAddress(`${word} ${++words}`);
  const pathOf = ({ address }: Addressed) => `${walletsPath}/${address}`;
  const create = (body: object, options: object = {}) =>
    world().api.call('POST', walletsPath, { body, ...options });
  return {
    /** An address that nobody had before. */
    fresh,
    create,
    async aWallet(
      config: object = { adminSigner: { type: 'external-wallet', address: fresh('admin') } },
      fields: object = {},
    ) {
      const { status, body } = await create({ chainType: 'evm', type: 'smart', config, ...fields });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    call: (method: string, wallet: Addressed, path = '', options: object = {}) =>
      world().api.call(method, pathOf(wallet) + path, options),
    add: (wallet: Addressed, body: object, options: object = {}) =>
      world().api.call('POST', `${pathOf(wallet)}/signers`, {
        body: { chain: chainA, ...body },
        ...options,
      }),
    read: (wallet: Addressed, locator: string, options: object = {}) =>
      world().api.call('GET', `${pathOf(wallet)}/signers/${encodeURIComponent(locator)}`, options),
    remove: (
      wallet: Addressed,
      locator: string,
      query = `?chain=${chainA}`,
      options: object = {},
    ) =>
      world().api.call(
        'DELETE',
        `${pathOf(wallet)}/signers/${encodeURIComponent(locator)}${query}`,
        options,
      ),
    /** Approves as the first signer that is asked. */
    approve(
      wallet: Addressed,
      kind: 'signatures' | 'transactions',
      object: {
        id: string;
        approvals: { pending: { signer: { locator: string }; message: string }[] };
      },
    ) {
      const { signer, message } = object.approvals.pending[0]!;
      return world().api.call('POST', `${pathOf(wallet)}/${kind}/${object.id}/approvals`, {
        body: { approvals: [approvalOf(signer, message)] },
      });
    },
  };
}

export const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

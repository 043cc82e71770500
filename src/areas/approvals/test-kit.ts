import { createHash } from 'node:crypto';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import type {
  ChainFamily,
  Network,
  Signer,
  SubmitOperationInput,
  SubmittedApproval,
} from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';
import type { AnyRoute } from '../../http/routes/route.ts';
import { createManualClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { createLocalCustody } from '../../providers/custody/local.ts';
import { createSandboxPricing } from '../../providers/pricing/sandbox.ts';
import { createSandboxScreening } from '../../providers/screening/sandbox.ts';
import type { ScreeningResult } from '../../providers/screening/screening.ts';
import { insertWallets, type WalletRecord } from '../wallets/index.ts';

/**
 * Approvals without a node: a family whose signatures are hashes, behind real routes, a real
 * database and real custody. What a signer signs and how a chain takes it is tested with the real
 * families.
 */

export const chain = 'base-sepolia';
export const windowMs = 24 * 3_600_000;

const network = {
  name: chain,
  chainType: 'evm',
  testnet: true,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [],
} as unknown as Network;
const sha256 = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

/** The approval a signer of this family gives. */
export function signatureOf(signer: Pick<Signer, 'locator'>, message: string): string {
  return sha256(`${signer.locator.toLowerCase()} signs ${message}`);
}

export const approvalOf = (signer: Pick<Signer, 'locator'>, message: string) => ({
  signer: signer.locator,
  signature: signatureOf(signer, message),
});

/** What the relay was handed, and switches of the family. */
export interface TestFamily {
  readonly family: ChainFamily;
  /** Operations of committed transactions, in order. */
  readonly submitted: SubmitOperationInput[];
  /** Thrown by `completeSignature` while set. */
  outage?: unknown;
  /** Runs before every signature check, for what happens meanwhile. */
  beforeCheck?: (() => Promise<void>) | undefined;
}

export function createTestFamily(): TestFamily {
  const submitted: SubmitOperationInput[] = [];
  const test: TestFamily = { family: undefined as unknown as ChainFamily, submitted };
  const hashOf = (value: JsonObject) => String(value['message']);
  const family: Partial<ChainFamily> = {
    chainType: 'evm',
    walletTypes: ['smart'],
    networks: [network],
    custodyCurve: 'secp256k1',
    isAddress: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
    canonicalAddress: (address) => address.toLowerCase(),
    addressOfPublicKey: (key) => `0x${Buffer.from(key).toString('hex').slice(2, 42)}`,
    checkAddress: () => undefined,
    isRecipient: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
    async resolveToken(name, token) {
      if ('symbol' in token && token.symbol !== 'usdc')
        throw new ServiceError('token-not-supported');
      const locator = 'symbol' in token ? `${name}:usdc` : `${name}:${token.address}`;
      const tokenId = 'tokenId' in token ? token.tokenId : undefined;
      return {
        chain: name,
        locator,
        decimals: tokenId === undefined ? 6 : 0,
        tokenId,
      };
    },
    // Whom the tokens go to is not said: the recipient of a transfer is screened whatever the calls
    // show.
    transferParams: async ({ chain: name, amountMinor }) => ({
      chain: name,
      calls: [],
      amountMinor: amountMinor.toString(),
    }),
    requireNetwork: (name) => {
      if (name !== chain && name !== 'base') throw new ServiceError('chain-not-supported');
      return network;
    },
    async prepareOperation({ wallet, params, now, signer, delegate }) {
      if (params['fail'] === true)
        throw new ServiceError('transaction-simulation-failed', {
          message: 'The call reverts.',
          details: {
            error: { reason: 'execution_reverted', message: 'The call reverts.' },
            message: 'The call reverts.',
          },
        });
      const message = sha256(JSON.stringify([params, now, signer.locator]));
      return {
        chain,
        params,
        operation: { message, wallet: wallet.address, by: delegate ? 'delegate' : 'admin' },
        onChain: { userOperationHash: message },
        message,
        validUntil: new Date(now.getTime() + windowMs),
        feesEstimate: { amountWei: '1000' },
        preview: { balanceChanges: [], gas: '1', sponsored: true },
        counterparties: (params['to'] as string[] | undefined) ?? [],
        typedData: { primaryType: 'Operation', message: { hash: message } },
      };
    },
    signatures: {
      async prepareSignature({ wallet, type, params, now, signer }) {
        if (type === 'auth-entries') throw new ServiceError('signature-type-not-supported');
        if (params['chain'] !== chain) throw new ServiceError('chain-not-supported');
        const message = sha256(JSON.stringify([type, params, signer.locator]));
        return {
          chain,
          params,
          request: { message, wallet: wallet.address },
          message,
          validUntil: new Date(now.getTime() + windowMs),
        };
      },
      async completeSignature(_wallet, request, approvals) {
        if (test.outage !== undefined) throw test.outage;
        if (approvals.length === 0)
          throw new Error('a signature without an approval was asked for');
        return sha256(
          JSON.stringify([
            hashOf(request),
            approvals.map(({ signer, signature }) => [signer.locator, signature]),
          ]),
        );
      },
    },
    readSigned: (signable) => ({
      chain,
      walletAddress: String(signable['wallet']),
      message: hashOf(signable),
    }),
    custodyDigest: (signable) => Buffer.from(hashOf(signable).slice(2), 'hex'),
    custodyApproval: (signer, signature) => ({
      signer,
      signature: Buffer.from(signature).toString('hex'),
    }),
    async checkApproval(signable, { signer, signature }: SubmittedApproval) {
      await test.beforeCheck?.();
      return signature === signatureOf(signer, hashOf(signable));
    },
    async submitOperations(tx, inputs) {
      tx.afterCommit(() => submitted.push(...inputs));
    },
  };
  return Object.assign(test, { family: family as ChainFamily });
}

export interface ApprovalsWorld extends TestFamily {
  readonly api: TestApi;
  readonly ctx: Ctx;
  readonly clock: ReturnType<typeof createManualClock>;
  /** Addresses that are on the sanctions list now, beside the sandbox's own. */
  readonly sanctioned: Set<string>;
  requestCtx(): RequestCtx;
  aWallet(input: {
    adminSigner: Signer;
    recoveryMethods?: readonly Signer[];
    owner?: string;
  }): Promise<WalletRecord>;
  /** The project's api-key signer. */
  anApiKeySigner(purpose?: string): Promise<Signer>;
  close(): Promise<void>;
}

export async function startApprovalsWorld(routes: readonly AnyRoute[]): Promise<ApprovalsWorld> {
  const test = createTestFamily();
  const clock = createManualClock();
  const sanctioned = new Set<string>();
  const sandbox = createSandboxScreening();
  const api = await startTestApi({
    routes,
    clock,
    families: [test.family],
    providers: (ctx) => ({
      custody: createLocalCustody({ sealer: createSealer(ctx.config.keyEncryptionKeys), clock }),
      pricing: createSandboxPricing(),
      screening: {
        ...sandbox,
        async screen(input): Promise<ScreeningResult> {
          const result = await sandbox.screen(input);
          const address = input.addresses.find((one) => sanctioned.has(one));
          const hit = {
            address: String(address),
            list: 'test',
            listVersion: '2',
            digest: '00',
            entry: '1',
          };
          return address === undefined ? result : { status: 'blocked', hit, lists: result.lists };
        },
      },
    }),
  });
  const { ctx } = api;
  let wallets = 0;
  return Object.assign(test, {
    api,
    ctx,
    clock,
    sanctioned,
    close: () => api.close(),
    requestCtx: (): RequestCtx => ({
      ...ctx,
      requestId: 'test',
      caller: {
        projectId: api.projectId,
        environment: 'development',
        keyKind: 'server',
        keyId: 'k',
        scopes: new Set(),
      },
    }),
    async aWallet(input: {
      adminSigner: Signer;
      recoveryMethods?: readonly Signer[];
      owner?: string;
    }) {
      const address = anAddress(`wallet ${++wallets} of ${api.projectId}`);
      const wallet: WalletRecord = {
        id: ctx.ids.uuid(),
        projectId: api.projectId,
        chainType: 'evm',
        type: 'smart',
        address,
        ...input,
        setup: {},
        createdAt: clock.now(),
      };
      await insertWallets(ctx.store, [{ ...wallet, addressKey: address }]);
      return wallet;
    },
    async anApiKeySigner(purpose = 'api-key') {
      const key = await ctx.providers.custody.ensureKey(ctx.store, {
        projectId: api.projectId,
        curve: 'secp256k1',
        purpose,
      });
      const address = test.family.addressOfPublicKey(key.publicKey);
      return {
        type: 'api-key',
        locator: `api-key:${address}`,
        address,
        keyId: key.keyId,
      } satisfies Signer;
    },
  });
}

/** A lower-case address made of a word. */
export function anAddress(word: string): string {
  return sha256(word).slice(0, 42);
}

export function anExternalWallet(word: string): Signer {
  const address = anAddress(word);
  return { type: 'external-wallet', locator: `external-wallet:${address}`, address };
}

export function aQuorum(threshold: number, members: readonly Signer[]): Signer {
  return {
    type: 'quorum',
    locator: `quorum:${anAddress(JSON.stringify(members)).slice(2, 12)}`,
    threshold,
    members: members as never,
  };
}

import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { pino } from 'pino';
import { testConfig } from '../../../test/harness/config.ts';
import type { TestDatabase } from '../../../test/harness/database.ts';
import {
  type CallAnswer,
  type CallOptions,
  startTestApi,
  type TestApi,
} from '../../../test/harness/http.ts';
import type { ChainFamily, Signer } from '../../chains/family.ts';
import { createChains } from '../../chains/registry.ts';
import type { Config } from '../../config/config.ts';
import type { RequestCtx } from '../../context.ts';
import { createManualClock } from '../../lib/clock.ts';
import type { Json } from '../../lib/json/json.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { createLocalCustody } from '../../providers/custody/local.ts';
import { createMessaging } from '../../providers/messaging/index.ts';
import { listSandboxMessages } from '../../providers/messaging/sandbox.ts';
import type { Providers } from '../../providers/registry.ts';
import type { Approvals } from '../approvals/index.ts';
import { insertTransactions } from '../transactions/store.ts';
import { emailSigner, insertWallets, phoneSigner, selectWalletById } from '../wallets/index.ts';
import { type DeviceRequest, deviceRequestText } from './device.ts';
import { signerCodeRoutes } from './routes.ts';

/**
 * A family that signs SHA-256 of the operation's text, so that a test sees what was signed without
 * any chain.
 */
export const testFamily = {
  chainType: 'evm',
  custodyCurve: 'secp256k1',
  networks: [],
  isAddress: (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text),
  canonicalAddress: (text: string) => text.toLowerCase(),
  addressOfPublicKey: (key: Uint8Array) =>
    `0x${createHash('sha256').update(key).digest('hex').slice(0, 40)}`,
  readSigned: ({ wallet, text }: { readonly wallet?: Json; readonly text?: Json }) => ({
    chain: 'base-sepolia',
    walletAddress: String(wallet),
    message: String(text),
  }),
  describeSigned: () => 'send 1 USDC to a friend',
  custodyDigest: (operation: { readonly text?: Json }) =>
    createHash('sha256').update(String(operation.text)).digest(),
  custodyApproval: (signer: Signer, signature: Uint8Array) => ({
    signer,
    signature: `0x${Buffer.from(signature).toString('hex')}`,
  }),
} as Partial<ChainFamily> as ChainFamily;

/** A device with a P-256 key of its own. */
export interface Device {
  readonly publicKey: { readonly x: string; readonly y: string };
  sign(request: DeviceRequest): { readonly r: string; readonly s: string };
}

export function aDevice(): Device {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = privateKey.export({ format: 'jwk' });
  const decimal = (text: string | undefined) =>
    BigInt(`0x${Buffer.from(text!, 'base64url').toString('hex')}`).toString();

  return {
    publicKey: { x: decimal(x), y: decimal(y) },
    sign(request) {
      const raw = sign('sha256', Buffer.from(deviceRequestText(request)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      });
      return {
        r: `0x${raw.subarray(0, 32).toString('hex')}`,
        s: `0x${raw.subarray(32).toString('hex')}`,
      };
    },
  };
}

export interface CodesWorld {
  readonly api: TestApi;
  readonly clock: ReturnType<typeof createManualClock>;
  /** A signer of the project. */
  signer(input: { email: string } | { phone: string }): Promise<Signer>;
  /** A wallet with this admin signer. */
  wallet(admin: Signer): Promise<{ readonly id: string; readonly address: string }>;
  /** A transaction of the wallet that waits for these signers. @returns its message */
  pending(
    walletId: string,
    signers: readonly Signer[],
    over?: { quorum?: boolean; validMs?: number },
  ): Promise<string>;
  /** Ends every transaction with this message. */
  settle(message: string): Promise<void>;
  /** The code that was sent last. */
  lastCode(to: string): Promise<string>;
  sentCount(to: string): Promise<number>;
  requestCode(
    wallet: { address: string },
    signer: string,
    device: Device,
    message: string,
    options?: CallOptions,
  ): Promise<CallAnswer>;
  signWith(input: SignWithInput): Promise<CallAnswer>;
  close(): Promise<void>;
}

export interface SignWithInput {
  readonly wallet: { readonly address: string };
  readonly signer: string;
  readonly device: Device;
  readonly codeId: string;
  readonly code?: string;
  readonly message: string;
  readonly nonce?: string;
  /** Fields of the posted body that differ from what the device signed. */
  readonly posted?: Readonly<Record<string, unknown>>;
  readonly signerPath?: string;
  readonly options?: CallOptions;
}

/**
 * The routes over HTTP, with sandbox messages and real custody. A world over the same database is
 * another process.
 */
export async function openWorld(
  options: {
    config?: Partial<Config>;
    database?: TestDatabase;
    clock?: CodesWorld['clock'];
    messaging?: Providers['messaging'];
  } = {},
): Promise<CodesWorld> {
  const clock = options.clock ?? createManualClock();
  const config = testConfig(options.config);
  const sealer = createSealer(config.keyEncryptionKeys);
  const api = await startTestApi({
    routes: signerCodeRoutes,
    families: [testFamily],
    clock,
    config,
    // A store of its own: what a process remembers hangs on it.
    ...(options.database === undefined
      ? {}
      : { database: { ...options.database, store: { ...options.database.store } } }),
    providers: ({ store }) => ({
      custody: createLocalCustody({ sealer, clock }),
      messaging: options.messaging ?? createMessaging(config, { store, clock }),
    }),
  });
  const caller = {
    projectId: api.projectId,
    environment: 'development',
    keyKind: 'server',
    keyId: 'k',
    scopes: new Set<string>(),
  } as const;
  const ctx: RequestCtx = {
    ...api.ctx,
    chains: createChains([testFamily]),
    log: pino({ level: 'silent' }),
    caller,
    requestId: 'test',
  };
  const messagesTo = (to: string) =>
    listSandboxMessages({ store: api.ctx.store, sealer }, { to, limit: 100 });
  const pathOf = (wallet: { address: string }, signer: string) =>
    `/2025-06-09/wallets/${wallet.address}/signers/${encodeURIComponent(signer)}`;

  return {
    api,
    clock,
    signer: (input) =>
      'email' in input
        ? emailSigner(ctx, testFamily, input.email)
        : phoneSigner(ctx, testFamily, input.phone),
    async wallet(adminSigner) {
      const address = `0x${randomBytes(20).toString('hex')}`;
      const id = randomUUID();
      const wallet = {
        id,
        projectId: api.projectId,
        chainType: 'evm',
        type: 'smart',
        address,
        addressKey: address,
      } as const;
      await insertWallets(api.ctx.store, [
        { ...wallet, adminSigner, setup: {}, createdAt: clock.now() },
      ]);
      return { id, address };
    },
    async pending(walletId, signers, over = {}) {
      const message = `0x${randomBytes(32).toString('hex')}`;
      const { address } = (await selectWalletById(api.ctx.store, walletId))!;
      const entries = signers.map((signer) => ({ signer, message }));
      const quorum = {
        signer: { type: 'quorum', locator: 'quorum:q', threshold: 1, members: signers },
        quorumApprovals: { threshold: 1, remaining: 1, pending: entries, submitted: [] },
      };
      await insertTransactions(api.ctx.store, [
        {
          id: randomUUID(),
          projectId: api.projectId,
          walletId,
          chainType: 'evm',
          walletType: 'smart',
          chain: 'base-sepolia',
          subject: 'transaction',
          status: 'awaiting-approval',
          params: {},
          operation: { text: message, wallet: address },
          onChain: {},
          approvals: {
            required: 1,
            pending: (over.quorum ? [quorum] : entries) as Approvals['pending'],
            submitted: [],
          },
          fees: {},
          createdAt: clock.now(),
          validUntil: new Date(clock.now().getTime() + (over.validMs ?? 86_400_000)),
        },
      ]);
      return message;
    },
    async settle(message) {
      await api.ctx.store.query({
        text: `update transactions set status = 'success' where operation ->> 'text' = $1`,
        values: [message],
      });
    },
    async lastCode(to) {
      const [message] = await messagesTo(to);
      return /\b\d{6}\b/.exec(message!.text!)![0];
    },
    sentCount: async (to) => (await messagesTo(to)).length,
    requestCode: (wallet, signer, device, message, call = {}) =>
      api.call('POST', `${pathOf(wallet, signer)}/codes`, {
        body: { devicePublicKey: device.publicKey, message },
        ...call,
      }),
    signWith(input) {
      const {
        wallet,
        signer,
        device,
        codeId,
        code,
        message,
        nonce = randomBytes(16).toString('base64url'),
      } = input;
      const deviceSignature = device.sign({
        walletAddress: wallet.address,
        signer,
        codeId,
        code,
        nonce,
        message,
      });
      const body = {
        codeId,
        code,
        message,
        nonce,
        deviceSignature,
        ...input.posted,
      };
      return api.call('POST', `${pathOf(wallet, input.signerPath ?? signer)}/signatures`, {
        body,
        ...input.options,
      });
    },
    close: () => api.close(),
  };
}

import { randomBytes, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import type { Address } from '@solana/kit';
import bs58 from 'bs58';
import { programPath } from '../../../../programs/solana-wallet/build.ts';
import {
  approve,
  type P256TestKey,
  p256KeyOf,
} from '../../../../programs/solana-wallet/testing/p256-keys.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type {
  Delegate,
  FamilyWallet,
  PreparedOperation,
  QuorumSigner,
  Signer,
  SmartWalletInput,
  SubmittedApproval,
} from '../../family.ts';
import { prepareSolanaOperation } from '../operation/prepare.ts';
import { readOperation } from '../operation/stored.ts';
import { submitSolanaOperations } from '../operation/submit.ts';
import { solanaTransferParams } from '../operation/transfer.ts';
import { checkSolanaApproval } from '../signing/approvals.ts';
import { planSmartWallet } from '../wallet/index.ts';
import { projectId, type World } from './world.ts';

/** Smart wallets of a world, with signers whose keys a test has. */

export interface TestSigner {
  readonly signer: Signer;
  /** @throws Error for one that does not sign alone */
  approve(prepared: Pick<PreparedOperation, 'operation' | 'message'>): SubmittedApproval;
}

export function ed25519Signer(type: Signer['type'] = 'external-wallet'): TestSigner {
  const seed = new Uint8Array(randomBytes(32));
  const address = bs58.encode(ed25519.getPublicKey(seed));
  const signer: Signer = { type, locator: `${type}:${address}`, address };
  return {
    signer,
    approve: ({ operation }) => ({
      signer,
      signature: bs58.encode(sign(null, readOperation(operation).messageBytes, keyOf(seed))),
    }),
  };
}

function keyOf(seed: Uint8Array) {
  return {
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der' as const,
    type: 'pkcs8' as const,
  };
}

/** @param added what the browser writes into the client's data behind the origin */
export function p256Signer(
  kind: P256TestKey['kind'],
  name: string = randomUUID(),
  added = '',
): TestSigner {
  const key = p256KeyOf(kind, name);
  const { x, y } = p256.Point.fromBytes(key.key).toAffine();
  const signer: Signer = {
    type: kind,
    locator: `${kind}:${name}`,
    id: name,
    name,
    publicKey: { x: x.toString(), y: y.toString() },
  };
  return {
    signer,
    approve({ message }) {
      const hash = Buffer.from(message.slice(2), 'hex');
      const made = approve(key, new Uint8Array(hash), {
        clientData: `{"type":"webauthn.get","challenge":"${hash.toString('base64url')}","origin":"https://wallet.example"${added}}`,
      });
      const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
      const signature = {
        r: hex(made.signature.subarray(0, 32)),
        s: hex(made.signature.subarray(32)),
      };
      if ('hash' in made.signed) return { signer, signature };
      const { authenticatorData, clientData } = made.signed;
      const clientDataJSON = Buffer.from(clientData).toString();
      return {
        signer,
        signature,
        metadata: {
          authenticatorData: hex(authenticatorData),
          clientDataJSON,
          challengeIndex: 23,
          typeIndex: 1,
          userVerificationRequired: true,
        },
      };
    },
  };
}

export function quorumOf(threshold: number, members: readonly TestSigner[]): QuorumSigner {
  return {
    type: 'quorum',
    locator: `quorum:${randomUUID()}`,
    threshold,
    members: members.map(({ signer }) => signer) as never,
  };
}

export function openSmartWallets(world: World) {
  const program = bs58.encode(ed25519.getPublicKey(randomBytes(32))) as Address;
  const chain = { program, cluster: 'local' };
  const smart = {
    program,
    async install(): Promise<void> {
      await world.rpc.request('devnet_addProgram', [
        program,
        readFileSync(programPath).toString('base64'),
      ]);
    },
    async aWallet(
      input: Partial<SmartWalletInput> & Pick<SmartWalletInput, 'adminSigner'>,
      { tokens = 0n, lamports = 0n }: { readonly tokens?: bigint; readonly lamports?: bigint } = {},
    ): Promise<FamilyWallet> {
      const plan = planSmartWallet(chain, { type: 'smart', creationSeed: randomUUID(), ...input });
      if (lamports > 0n)
        await world.rpc.request('requestAirdrop', [plan.address, Number(lamports)]);
      if (tokens > 0n) await world.giveTokens(plan.address, tokens);
      const { adminSigner, recoveryMethods } = input;
      const stored = JSON.parse(JSON.stringify(plan)) as typeof plan;
      return {
        id: randomUUID(),
        type: 'smart',
        ...stored,
        adminSigner,
        ...(recoveryMethods ? { recoveryMethods } : {}),
      };
    },
    prepare(
      wallet: FamilyWallet,
      params: JsonObject,
      signer: Signer,
      delegate?: Delegate,
    ): Promise<PreparedOperation> {
      return prepareSolanaOperation(world.deps, {
        wallet,
        params,
        signer,
        now: new Date(),
        ...(delegate ? { delegate } : {}),
      });
    },
    async prepareTransfer(
      wallet: FamilyWallet,
      by: {
        readonly signer: Signer;
        readonly delegate?: Delegate;
        readonly requiredSigners?: readonly string[];
      },
      {
        amount,
        to,
        of = world.token,
      }: { readonly amount: bigint; readonly to: string; readonly of?: typeof world.token },
    ): Promise<PreparedOperation> {
      const transfer = {
        wallet,
        chain: 'solana',
        token: of,
        amountMinor: amount,
        recipientAddress: to,
      };
      const params = await solanaTransferParams(world.connect, transfer);
      const { requiredSigners } = by;
      return smart.prepare(
        wallet,
        requiredSigners ? { ...params, requiredSigners: [...requiredSigners] } : params,
        by.signer,
        by.delegate,
      );
    },
    /** Each approval is checked as the service does. */
    async submit(
      wallet: FamilyWallet,
      prepared: PreparedOperation,
      signers: readonly TestSigner[],
    ): Promise<string> {
      const operation = JSON.parse(JSON.stringify(prepared.operation)) as JsonObject;
      const approvals = signers.map((one) => one.approve(prepared));
      for (const approval of approvals)
        if (!checkSolanaApproval(operation, approval))
          throw new Error(`${approval.signer.locator} does not approve this.`);
      const operationId = randomUUID();
      const input = {
        operationId,
        subject: 'transaction',
        projectId,
        wallet,
        chain: 'solana',
        operation,
        approvals,
      };
      await world.database.store.transaction((tx) => submitSolanaOperations(tx, [input]));
      return operationId;
    },
    async run(wallet: FamilyWallet, prepared: PreparedOperation, signers: readonly TestSigner[]) {
      return world.outcomeOf(await smart.submit(wallet, prepared, signers));
    },
  };
  return smart;
}

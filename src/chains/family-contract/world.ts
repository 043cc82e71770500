import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Store, Tx } from '../../store/types.ts';
import type {
  ChainEntrances,
  ChainFamily,
  FamilyWallet,
  FindRecipient,
  OperationOutcome,
  PreparedOperation,
  PreparedSignature,
  ResolvedToken,
  SeenOperation,
  SeenTransfer,
  Signer,
  SmartWalletInput,
  SubmittedApproval,
  TransferIntent,
  WalletPlanInput,
  WalletType,
} from '../family.ts';

/** A person with a key of the family's own kind. */
export interface TestSigner {
  readonly signer: Signer;
  /**
   * The approval that this signer's software would send for the operation or the signature request.
   */
  approve(prepared: PreparedOperation | PreparedSignature): Promise<SubmittedApproval>;
}

/** A key in custody. */
export interface TestCustodyKey {
  readonly publicKey: Uint8Array;
  sign(digest: Uint8Array): Promise<Uint8Array>;
}

/** An account outside of this service. */
export interface TestPayer {
  readonly address: string;
  /**
   * Signs an unsigned transaction, broadcasts it and waits until it is in a block. Answers its id.
   */
  send(serializedTransaction: string): Promise<string>;
}

export interface FamilyHarness {
  readonly family: ChainFamily;
  readonly store: Store;
  /** A network with a node behind it. */
  readonly chain: string;
  /** A network that has none; absent where the family has one name for all of them. */
  readonly chainWithoutNode?: string;
  /** The wallet type that the suite is run for. */
  readonly walletType: WalletType;
  /** Symbol of a listed token that `fund` mints, and a symbol that no network has. */
  readonly testToken: string;
  /** Of the one form in which the family names tokens, where that is no address. */
  readonly isTokenAddress?: (text: string) => boolean;
  /** An address of the family's form where nothing stands. */
  freshAddress(): string;
  /** Text that is no address of this family, e.g. one of another family. */
  readonly foreignAddress: string;
  /** An id of no transaction. */
  freshTxId(): string;
  newPayer(): Promise<TestPayer>;
  /** `params` by which a wallet of the service makes a transaction that is handed to payers. */
  readonly paramsOf: (serializedTransaction: string) => JsonObject;
  newSigner(): TestSigner;
  newCustodyKey(): TestCustodyKey;
  /**
   * Params that name the members of a quorum who will approve, where those are fixed when an
   * operation is prepared.
   */
  readonly namingMembers?: (params: JsonObject, locators: readonly string[]) => JsonObject;
  /**
   * What is plenty of native money, where not everybody has as much as they like. Default 10 to the
   * 18.
   */
  readonly plentyNativeMinor?: bigint;
  /** The least that an account of the chain holds, where there is a least. */
  readonly leastNativeMinor?: bigint;
  /**
   * False: nothing that pays the wallets of the suite has room for a memo; such deposits are known
   * by payer and amount.
   */
  readonly depositsCarryMemos?: false;
  /** Gives native money from outside. */
  giveNative(address: string, amountMinor: bigint): Promise<void>;
  /**
   * Lets the time pass in which custody’s operations are tried again, where a failed one is told as
   * failed only when nobody can send it any more.
   */
  letPass?(): Promise<void>;
  /** Lets the chain go on, where it does not by itself. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** A wallet that nobody else uses, and who owns it. */
export interface OwnedWallet {
  readonly wallet: FamilyWallet;
  readonly owner: TestSigner;
}

/**
 * The family under test with its relay and watchers running, and what the areas would do around it.
 */
export interface FamilyWorld extends FamilyHarness {
  readonly token: ResolvedToken;
  readonly native: ResolvedToken;
  /** What the family told, in order. */
  readonly outcomes: readonly OperationOutcome[];
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
  /** Heights up to which everything was told to be final. */
  readonly finalHeights: readonly bigint[];
  /** A smart wallet. */
  planWallet(
    signer: Signer,
    rest?: Pick<SmartWalletInput, 'recoveryMethods' | 'delegates'>,
  ): FamilyWallet;
  aWallet(): OwnedWallet;
  /**
   * A wallet that a custody key signs for: the smart one of this api-key signer, or the one that is
   * the key.
   */
  walletOfKey(key: TestCustodyKey): OwnedWallet;
  /** A wallet beside this one, of the same owner where an owner has several. */
  siblingOf(owned: OwnedWallet): OwnedWallet;
  /** Gives so much of the test token. */
  fund(address: string, amountMinor: bigint): Promise<void>;
  /** With so much of the test token. */
  aFundedWallet(amountMinor: bigint): Promise<OwnedWallet>;
  intentOf(
    wallet: FamilyWallet,
    amountMinor: bigint,
    recipientAddress: string,
    token?: ResolvedToken,
  ): TransferIntent;
  prepareTransfer(intent: TransferIntent): Promise<PreparedOperation>;
  /** Answers the operation's id. */
  submit(
    wallet: FamilyWallet,
    prepared: PreparedOperation,
    approvals: SubmittedApproval | readonly SubmittedApproval[],
    operationId?: string,
    subject?: string,
  ): Promise<string>;
  outcomeOf(operationId: string): Promise<OperationOutcome>;
  amountOf(address: string, token?: ResolvedToken): Promise<bigint>;
  until(check: () => boolean, what: string): Promise<void>;
  /** Whether the wallet's key signs this operation when it is sent. */
  isLate(signable: JsonObject): boolean;
  finderOf(address: string): FindRecipient;
}

const waitMaxMs = 30_000;
export const projectId = '00000000-0000-4000-8000-000000000001';

export async function openWorld(harness: FamilyHarness): Promise<FamilyWorld> {
  const { family, chain } = harness;
  const outcomes: OperationOutcome[] = [];
  const transfers: SeenTransfer[] = [];
  const operations: SeenOperation[] = [];
  const finalHeights: bigint[] = [];
  const own = new Set<string>();
  const wallets = new Map<string, FamilyWallet>();
  const keys = new Map<string, TestCustodyKey>();
  const entrances: ChainEntrances = {
    settleOperations: async (_tx, told) => void outcomes.push(...told),
    ownAddresses: async (_tx, addresses) =>
      new Set(addresses.filter((address) => own.has(address))),
    recordTransfers: async (_tx, seen) => void transfers.push(...seen),
    depositAddresses: async (_tx, addresses) =>
      new Set(addresses.filter((address) => own.has(address))),
    recordOperations: async (_tx, seen) => void operations.push(...seen),
    finalizeTransfers: async (_tx, _chain, height) => void finalHeights.push(height),
    retractTransfers: async () => undefined,
    signBuilt: async ({ walletId, operation, built }) => {
      const { publicKey, sign } = keys.get(walletId)!;
      const signer = family.addressOfPublicKey(publicKey);
      return sign(family.late!.signedBytes(throughJson(operation), built, signer));
    },
  };
  const running = await family.run(entrances);
  const token = await family.resolveToken(chain, { symbol: harness.testToken });
  const native = await family.resolveToken(chain, {
    symbol: family.requireNetwork(chain).native.symbol,
  });
  let seeds = 0;

  const isLate = (signable: JsonObject) =>
    harness.walletType === 'mpc' && family.late?.isLate(signable) === true;
  function planned(input: WalletPlanInput, adminSigner: Signer): FamilyWallet {
    const plan = family.planWallet(input);
    own.add(family.canonicalAddress(plan.address));
    const { address } = plan;
    const wallet = {
      id: randomUUID(),
      projectId,
      type: input.type,
      address,
      setup: throughJson(plan.setup),
      adminSigner,
    };
    wallets.set(plan.address, wallet);
    return wallet;
  }
  function planWallet(
    signer: Signer,
    rest: Pick<SmartWalletInput, 'recoveryMethods' | 'delegates'> = {},
  ): FamilyWallet {
    const { recoveryMethods } = rest;
    const wallet = planned(
      { type: 'smart', adminSigner: signer, creationSeed: `seed ${seeds++}`, ...rest },
      signer,
    );
    return { ...wallet, ...(recoveryMethods === undefined ? {} : { recoveryMethods }) };
  }
  function walletOfKey(key: TestCustodyKey): OwnedWallet {
    const { publicKey, sign } = key;
    const address = family.addressOfPublicKey(publicKey);
    const signer: Signer = { type: 'api-key', locator: `api-key:${address}`, address };
    const owner: TestSigner = {
      signer,
      async approve(prepared) {
        const signable = throughJson(
          'operation' in prepared ? prepared.operation : prepared.request,
        );
        // Handed over unsigned, it is signed later.
        if (isLate(signable)) return { signer, signature: '' };
        const approval = family.custodyApproval(signer, await sign(family.custodyDigest(signable)));
        const extra =
          harness.walletType === 'mpc' ? family.custodyExtra?.digest(signable) : undefined;
        return extra ? family.custodyExtra!.add(approval, await sign(extra)) : approval;
      },
    };
    const wallet =
      harness.walletType === 'mpc'
        ? planned({ type: 'mpc', publicKey }, signer)
        : planWallet(signer);
    keys.set(wallet.id, key);
    return { wallet, owner };
  }
  function aWallet(): OwnedWallet {
    if (harness.walletType === 'mpc') return walletOfKey(harness.newCustodyKey());
    const owner = harness.newSigner();
    return { wallet: planWallet(owner.signer), owner };
  }
  async function fund(recipientAddress: string, amountMinor: bigint): Promise<void> {
    const findRecipient = finderOf(recipientAddress);
    await family.funding!.fund({
      chain,
      token,
      amountMinor,
      recipientAddress,
      findRecipient,
      reference: randomUUID(),
    });
  }
  /** As areas find the wallet that is paid. */
  const finderOf = (address: string) => async () => {
    const wallet = wallets.get(address);
    return wallet && { wallet, projectId, owner: address };
  };
  async function until(check: () => boolean, what: string): Promise<void> {
    for (const endAt = Date.now() + waitMaxMs; !check(); await delay(25)) {
      if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
      await harness.settle();
    }
  }

  return {
    ...harness,
    token,
    native,
    outcomes,
    transfers,
    operations,
    finalHeights,
    planWallet,
    aWallet,
    walletOfKey,
    siblingOf: ({ owner }) =>
      harness.walletType === 'mpc' ? aWallet() : { wallet: planWallet(owner.signer), owner },
    until,
    isLate,
    finderOf,
    fund,
    async aFundedWallet(amountMinor) {
      const made = aWallet();
      await fund(made.wallet.address, amountMinor);
      return made;
    },
    intentOf: (wallet, amountMinor, recipientAddress, of = token) => ({
      wallet,
      chain,
      token: of,
      amountMinor,
      recipientAddress,
      findRecipient: finderOf(recipientAddress),
    }),
    async prepareTransfer(intent) {
      const params = throughJson(await family.transferParams(intent));
      return family.prepareOperation({
        wallet: intent.wallet,
        params,
        signer: intent.wallet.adminSigner,
        now: new Date(),
        transfer: intent,
      });
    },
    async submit(wallet, prepared, approvals, operationId = randomUUID(), subject = 'transaction') {
      const input = {
        operationId,
        subject,
        projectId,
        wallet,
        chain: prepared.chain,
        operation: throughJson(prepared.operation),
        approvals: isLate(prepared.operation) ? [] : throughJson([approvals].flat()),
      };
      await harness.store.transaction((tx: Tx) => family.submitOperations(tx, [input]));
      return operationId;
    },
    async outcomeOf(operationId) {
      const find = () => outcomes.find((outcome) => outcome.operationId === operationId);
      await until(() => find() !== undefined, `an outcome of ${operationId}`);
      return find()!;
    },
    amountOf: async (address, of = token) =>
      (await family.readBalances(address, [of]))[0]!.amountMinor,
    async close() {
      await running.stop();
      await harness.close();
    },
  };
}

/** What the areas do with everything opaque: it goes into the database and comes back. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export async function refusal(run: Promise<unknown>): Promise<ServiceError> {
  const thrown = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ServiceError) return thrown;
  throw new Error(
    `expected a refusal, got ${thrown === undefined ? 'an answer' : String(thrown)}`,
    { cause: thrown },
  );
}

export async function refusalOf(run: Promise<unknown>): Promise<ErrorCode> {
  return (await refusal(run)).code;
}

export function codeOf(run: () => unknown): ErrorCode | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return undefined;
}

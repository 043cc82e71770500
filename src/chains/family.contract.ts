import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError, type ErrorCode } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Store, Tx } from '../store/types.ts';
import { chainTypes, signerTypes, type ChainEntrances, type ChainFamily, type FamilyWallet, type OperationOutcome, type PreparedOperation, type ResolvedToken, type SeenTransfer, type Signer, type SubmittedApproval, type TransferIntent, type WalletType } from './family.ts';

/**
 * What every chain family has to pass, on a real local chain: from the plan of a wallet to settled operations and seen
 * transfers. It says nothing that only one kind of chain has; what a family adds to this it tests beside its own code.
 */

/** A person with a key of the family's own kind. */
export interface TestSigner {
  readonly signer: Signer;
  /** The approval that this signer's software would send for the operation. */
  approve(prepared: PreparedOperation): Promise<SubmittedApproval>;
}

/** A key in custody. */
export interface TestCustodyKey {
  readonly publicKey: Uint8Array;
  sign(digest: Uint8Array): Promise<Uint8Array>;
}

export interface FamilyHarness {
  readonly family: ChainFamily;
  readonly store: Store;
  /** A network with a node behind it, and one of the family's names that has none. */
  readonly chain: string;
  readonly chainWithoutNode: string;
  /** The wallet type that the suite is run for. */
  readonly walletType: WalletType;
  /** Symbol of a listed token that `fund` mints, and a symbol that no network has. */
  readonly testToken: string;
  /** An address of the family's form where nothing stands. */
  freshAddress(): string;
  /** Text that is no address of this family, e.g. one of another family. */
  readonly foreignAddress: string;
  newSigner(): TestSigner;
  newCustodyKey(): TestCustodyKey;
  /** Gives native money from outside. */
  giveNative(address: string, amountMinor: bigint): Promise<void>;
  /** Lets the chain go on, where it does not by itself. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Recorded {
  readonly entrances: ChainEntrances;
  readonly outcomes: OperationOutcome[];
  readonly transfers: SeenTransfer[];
  readonly own: Set<string>;
}

const waitMaxMs = 30_000;
const projectId = '00000000-0000-4000-8000-000000000001';

/** Runs the suite against a family. */
export function describeChainFamily(title: string, start: () => Promise<FamilyHarness>): void {
  describe(`the chain family ${title}`, () => {
    let harness: FamilyHarness;
    let family: ChainFamily;
    let recorded: Recorded;
    let stopRunning: () => Promise<void>;
    let token: ResolvedToken;
    let native: ResolvedToken;

    beforeAll(async () => {
      harness = await start();
      family = harness.family;
      recorded = createRecorder();
      const running = await family.run(recorded.entrances);
      stopRunning = () => running.stop();
      token = await family.resolveToken(harness.chain, { symbol: harness.testToken });
      native = await family.resolveToken(harness.chain, { symbol: family.requireNetwork(harness.chain).native.symbol });
    });
    afterAll(async () => {
      await stopRunning?.();
      await harness?.close();
    });

    let seeds = 0;
    function planWallet(signer: Signer, creationSeed = `seed ${seeds++}`): FamilyWallet {
      const plan = family.planWallet({ type: harness.walletType, adminSigner: signer, creationSeed });
      recorded.own.add(family.canonicalAddress(plan.address));
      return { id: randomUUID(), type: harness.walletType, address: plan.address, setup: throughJson(plan.setup), adminSigner: signer };
    }
    function aWallet(): { wallet: FamilyWallet; owner: TestSigner } {
      const owner = harness.newSigner();
      return { wallet: planWallet(owner.signer), owner };
    }
    async function aFundedWallet(amountMinor: bigint): Promise<{ wallet: FamilyWallet; owner: TestSigner }> {
      const made = aWallet();
      await family.fund({ chain: harness.chain, token, amountMinor, recipientAddress: made.wallet.address, reference: randomUUID() });
      return made;
    }
    const intentOf = (wallet: FamilyWallet, amountMinor: bigint, recipientAddress: string, of: ResolvedToken = token): TransferIntent => ({ wallet, chain: harness.chain, token: of, amountMinor, recipientAddress });
    async function prepareTransfer(intent: TransferIntent): Promise<PreparedOperation> {
      const params = throughJson(await family.transferParams(intent));
      return family.prepareOperation({ wallet: intent.wallet, params, signer: intent.wallet.adminSigner, now: new Date(), transfer: intent });
    }
    async function submit(wallet: FamilyWallet, prepared: PreparedOperation, approval: SubmittedApproval, operationId: string = randomUUID()): Promise<string> {
      const input = { operationId, projectId, wallet, chain: prepared.chain, operation: throughJson(prepared.operation), approvals: [throughJson(approval)] };
      await harness.store.transaction((tx: Tx) => family.submitOperations(tx, [input]));
      return operationId;
    }
    const outcomesOf = (operationId: string) => recorded.outcomes.filter((outcome) => outcome.operationId === operationId);
    async function outcomeOf(operationId: string): Promise<OperationOutcome> {
      await until(async () => {
        await harness.settle();
        return outcomesOf(operationId).length > 0;
      }, `an outcome of ${operationId}`);
      return outcomesOf(operationId)[0]!;
    }
    const amountOf = async (address: string, of: ResolvedToken = token) => (await family.readBalances(address, [of]))[0]!.amountMinor;

    describe('networks and addresses', () => {
      it('lists its networks once each, with a native token, and every listed token with its facts', () => {
        expect(chainTypes).toContain(family.chainType);
        expect(family.networks.length).toBeGreaterThan(0);
        expect(new Set(family.networks.map((network) => network.name)).size).toBe(family.networks.length);
        for (const network of family.networks) {
          expect(network.chainType).toBe(family.chainType);
          expect(network.native.symbol).toBe(network.native.symbol.toLowerCase());
          for (const listed of network.tokens) {
            expect(listed.symbol).toBe(listed.symbol.toLowerCase());
            expect(family.isAddress(listed.address!), `${network.name}:${listed.symbol}`).toBe(true);
            expect(Number.isInteger(listed.decimals)).toBe(true);
          }
        }
      });

      it('knows its addresses, and has one form of each for comparison', () => {
        const address = harness.freshAddress();
        expect(family.isAddress(address)).toBe(true);
        expect(family.isRecipient(address)).toBe(true);
        for (const text of [harness.foreignAddress, '', ' ', `${address}0`, `${address} `, ` ${address}`, address.slice(0, -1)]) {
          expect(family.isAddress(text), JSON.stringify(text)).toBe(false);
          expect(family.isRecipient(text), JSON.stringify(text)).toBe(false);
        }
        const canonical = family.canonicalAddress(address);
        expect(family.isAddress(canonical)).toBe(true);
        expect(family.canonicalAddress(canonical)).toBe(canonical);
        expect(family.canonicalAddress(harness.freshAddress())).not.toBe(canonical);
      });

      it('serves the network of a name, and refuses unknown names and names without a node', () => {
        expect(family.requireNetwork(harness.chain).name).toBe(harness.chain);
        for (const name of ['', 'nowhere', harness.chain.toUpperCase(), `${harness.chain} `, harness.chainWithoutNode, '__proto__', 'constructor']) {
          expect(codeOf(() => family.requireNetwork(name)), JSON.stringify(name)).toBe('chain-not-supported');
        }
        // An operator has to find out which setting is missing.
        expect(() => family.requireNetwork(harness.chainWithoutNode)).toThrow(/[A-Z]+(_[A-Z]+)+/);
      });
    });

    describe('plans of wallets', () => {
      it('are a function of type, signer and seed alone', () => {
        const [one, other] = [harness.newSigner().signer, harness.newSigner().signer];
        const planOf = (signer: Signer, creationSeed: string) => family.planWallet({ type: harness.walletType, adminSigner: signer, creationSeed });
        expect(planOf(one, 'a')).toEqual(planOf(one, 'a'));
        const addresses = [planOf(one, 'a'), planOf(one, 'b'), planOf(one, ''), planOf(other, 'a'), planOf(one, 'ä€𐍈')].map((plan) => family.canonicalAddress(plan.address));
        expect(new Set(addresses).size).toBe(addresses.length);
        for (const address of addresses) expect(family.isRecipient(address)).toBe(true);
      });

      it('keep a set-up that survives being stored as JSON', () => {
        const plan = family.planWallet({ type: harness.walletType, adminSigner: harness.newSigner().signer, creationSeed: 'seed' });
        expect(throughJson(plan.setup)).toEqual(plan.setup);
      });

      it('take the signer types that the family names, and no others', () => {
        const signer = harness.newSigner().signer;
        for (const type of signerTypes) {
          const plan = () => family.planWallet({ type: harness.walletType, adminSigner: { ...signer, type }, creationSeed: 'seed' });
          if (!family.adminSignerTypes.includes(type)) expect(codeOf(plan), type).toBe('signer-type-not-supported');
        }
        expect(family.adminSignerTypes).toContain(signer.type);
      });
    });

    describe('tokens and balances', () => {
      it('resolves symbols in any case, listed addresses and the native token', async () => {
        expect(token).toMatchObject({ chain: harness.chain, symbol: harness.testToken, locator: `${harness.chain}:${harness.testToken}` });
        expect(await family.resolveToken(harness.chain, { symbol: harness.testToken.toUpperCase() })).toEqual(token);
        const byAddress = await family.resolveToken(harness.chain, { address: token.address! });
        expect(byAddress).toMatchObject({ address: token.address, decimals: token.decimals, symbol: token.symbol });
        expect(native.address).toBeUndefined();
        expect(native.decimals).toBe(family.requireNetwork(harness.chain).native.decimals);
      });

      it('refuses tokens that do not exist with token-not-supported', async () => {
        expect(await refusalOf(family.resolveToken(harness.chain, { symbol: 'nonesuch' }))).toBe('token-not-supported');
        expect(await refusalOf(family.resolveToken(harness.chain, { address: harness.freshAddress() }))).toBe('token-not-supported');
        expect(await refusalOf(family.resolveToken(harness.chain, { address: harness.foreignAddress }))).toBe('token-not-supported');
        expect(await refusalOf(family.resolveToken('nowhere', { symbol: harness.testToken }))).toBe('chain-not-supported');
      });

      it('reads every balance asked for, in the order asked, zeros included', async () => {
        const address = aWallet().wallet.address;
        expect(await family.readBalances(address, [])).toEqual([]);
        await harness.giveNative(address, 12_345n);
        expect(await family.readBalances(address, [token, native, token])).toEqual([
          { token, amountMinor: 0n },
          { token: native, amountMinor: 12_345n },
          { token, amountMinor: 0n },
        ]);
      });

      it('mints the test token once per reference', async () => {
        const { address } = aWallet().wallet;
        const input = { chain: harness.chain, token, amountMinor: 7n, recipientAddress: address, reference: randomUUID() };
        const [first, second] = await Promise.all([family.fund(input), family.fund(input)]);
        expect(await family.fund(input)).toEqual(first);
        expect(second).toEqual(first);
        expect(await amountOf(address)).toBe(7n);
        expect(await refusalOf(family.fund({ ...input, token: native, reference: randomUUID() }))).toBe('token-not-supported');
      });
    });

    describe('operations', () => {
      it('of a transfer go from params to a settled outcome and moved balances', async () => {
        const { wallet, owner } = await aFundedWallet(1_000n);
        const recipient = harness.freshAddress();
        const prepared = await prepareTransfer(intentOf(wallet, 400n, recipient));
        expect(prepared).toMatchObject({ chain: harness.chain, message: expect.stringMatching(/.+/) });
        expect(prepared.validUntil.getTime()).toBeGreaterThan(Date.now());
        expect(throughJson(prepared.operation)).toEqual(prepared.operation);
        expect(throughJson(prepared.onChain)).toEqual(prepared.onChain);
        const approval = await owner.approve(prepared);
        expect(await family.checkApproval(throughJson(prepared.operation), throughJson(approval))).toBe(true);
        const outcome = await outcomeOf(await submit(wallet, prepared, approval));
        expect(outcome).toMatchObject({ status: 'success', onChain: { txId: expect.stringMatching(/.+/) }, at: expect.any(Date) });
        expect(outcome.onChain).not.toHaveProperty('error');
        expect(await amountOf(recipient)).toBe(400n);
        expect(await amountOf(wallet.address)).toBe(600n);
      });

      it('move native money too, and several of one wallet do not wait for each other', async () => {
        const { wallet, owner } = aWallet();
        await harness.giveNative(wallet.address, 10n ** 9n);
        const recipients = [harness.freshAddress(), harness.freshAddress(), harness.freshAddress()];
        const prepared = await Promise.all(recipients.map((recipient) => prepareTransfer(intentOf(wallet, 1_000_000n, recipient, native))));
        const ids = await Promise.all(prepared.map(async (one) => submit(wallet, one, await owner.approve(one))));
        for (const id of ids) expect((await outcomeOf(id)).status).toBe('success');
        for (const recipient of recipients) expect(await amountOf(recipient, native)).toBe(1_000_000n);
      });

      it('answer params that are documented and can be sent again', async () => {
        const { wallet } = await aFundedWallet(5n);
        const prepared = await prepareTransfer(intentOf(wallet, 5n, harness.freshAddress()));
        const schema = family.transactionParams[harness.walletType]!;
        expect(schema.safeParse(prepared.params).success).toBe(true);
        const again = await family.prepareOperation({ wallet, params: throughJson(prepared.params), signer: wallet.adminSigner, now: new Date() });
        expect(again.params).toEqual(prepared.params);
        expect(again.message).not.toBe(prepared.message);
      });

      it('are refused as validation-error when params are of another form', async () => {
        const { wallet } = aWallet();
        for (const params of [{}, { chain: harness.chain }, { chain: 5 }, { nonsense: true }] as JsonObject[]) {
          expect(await refusalOf(family.prepareOperation({ wallet, params, signer: wallet.adminSigner, now: new Date() })), JSON.stringify(params)).toBe('validation-error');
        }
      });

      it('without the means are insufficient-balance, for native money and tokens', async () => {
        const { wallet } = await aFundedWallet(99n);
        expect(await refusalOf(prepareTransfer(intentOf(wallet, 100n, harness.freshAddress())))).toBe('insufficient-balance');
        expect(await refusalOf(prepareTransfer(intentOf(wallet, 10n ** 15n, harness.freshAddress(), native)))).toBe('insufficient-balance');
      });

      it('that would fail are refused with the reason, as section 6 of the supplement has it', async () => {
        const { wallet } = await aFundedWallet(99n);
        const params = await family.transferParams(intentOf(wallet, 100n, harness.freshAddress()));
        const error = await refusal(family.prepareOperation({ wallet, params, signer: wallet.adminSigner, now: new Date() }));
        expect(error.code).toBe('transaction-simulation-failed');
        expect(error.details).toMatchObject({ error: { reason: expect.stringMatching(/^(execution_reverted|program_error)$/), message: expect.stringMatching(/.+/) }, message: error.message });
      });

      it('to an address that cannot receive are invalid-recipient', async () => {
        const { wallet } = aWallet();
        expect(await refusalOf(family.transferParams(intentOf(wallet, 1n, harness.foreignAddress)))).toBe('invalid-recipient');
      });

      it('submitted twice happen once', async () => {
        const { wallet, owner } = await aFundedWallet(1_000n);
        const recipient = harness.freshAddress();
        const prepared = await prepareTransfer(intentOf(wallet, 10n, recipient));
        const approval = await owner.approve(prepared);
        const operationId = randomUUID();
        await Promise.all([submit(wallet, prepared, approval, operationId), submit(wallet, prepared, approval, operationId)]);
        await outcomeOf(operationId);
        await submit(wallet, prepared, approval, operationId);
        // A later operation of the same wallet settles behind it.
        const later = await prepareTransfer(intentOf(wallet, 1n, harness.freshAddress()));
        await outcomeOf(await submit(wallet, later, await owner.approve(later)));
        expect(await amountOf(recipient)).toBe(10n);
        expect(outcomesOf(operationId).filter((outcome) => outcome.status === 'success')).toHaveLength(1);
      });

      it('rolled back with their transaction never happen', async () => {
        const { wallet, owner } = await aFundedWallet(1_000n);
        const recipient = harness.freshAddress();
        const prepared = await prepareTransfer(intentOf(wallet, 10n, recipient));
        const input = { operationId: randomUUID(), projectId, wallet, chain: prepared.chain, operation: prepared.operation, approvals: [await owner.approve(prepared)] };
        const failed = harness.store.transaction(async (tx: Tx) => {
          await family.submitOperations(tx, [input]);
          throw new Error('rolled back');
        });
        await expect(failed).rejects.toThrow('rolled back');
        const later = await prepareTransfer(intentOf(wallet, 1n, harness.freshAddress()));
        await outcomeOf(await submit(wallet, later, await owner.approve(later)));
        expect(await amountOf(recipient)).toBe(0n);
        expect(outcomesOf(input.operationId)).toHaveLength(0);
      });

      it('that can no longer succeed when they reach the chain fail with a reason, and the others go through', async () => {
        const { wallet, owner } = await aFundedWallet(100n);
        const [first, second] = [await prepareTransfer(intentOf(wallet, 80n, harness.freshAddress())), await prepareTransfer(intentOf(wallet, 80n, harness.freshAddress()))];
        const ids = [await submit(wallet, first, await owner.approve(first)), await submit(wallet, second, await owner.approve(second))];
        const outcomes = [await outcomeOf(ids[0]!), await outcomeOf(ids[1]!)];
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['failed', 'success']);
        const failed = outcomes.find((outcome) => outcome.status === 'failed')!;
        expect(failed).toMatchObject({ error: { reason: expect.stringMatching(/.+/), message: expect.stringMatching(/.+/) } });
        expect(await amountOf(wallet.address)).toBe(20n);
      });
    });

    describe('approvals', () => {
      async function anOperation(): Promise<{ wallet: FamilyWallet; owner: TestSigner; prepared: PreparedOperation }> {
        const made = await aFundedWallet(10n);
        return { ...made, prepared: await prepareTransfer(intentOf(made.wallet, 1n, harness.freshAddress())) };
      }

      it('by another key, of another operation or of no valid form do not verify', async () => {
        const { wallet, owner, prepared } = await anOperation();
        const stranger = harness.newSigner();
        const foreign = await stranger.approve(prepared);
        expect(await family.checkApproval(prepared.operation, { ...foreign, signer: owner.signer })).toBe(false);
        const other = await prepareTransfer(intentOf(wallet, 1n, harness.freshAddress()));
        const approval = await owner.approve(prepared);
        expect(await family.checkApproval(other.operation, approval)).toBe(false);
        expect(await family.checkApproval(prepared.operation, { ...approval, signer: stranger.signer })).toBe(false);
        for (const signature of ['', '0x', 'AAAA', null, 0, [], {}, { r: '0x01', s: '0x01' }, `${String(approval.signature)}00`]) {
          expect(await family.checkApproval(prepared.operation, { ...approval, signature }), JSON.stringify(signature)).toBe(false);
        }
      });

      it('of keys in custody are made from the digest and carry the operation to its end', async () => {
        const key = harness.newCustodyKey();
        const address = family.addressOfPublicKey(key.publicKey);
        expect(family.isAddress(address)).toBe(true);
        const signer: Signer = { type: 'api-key', locator: `api-key:${address}`, address };
        const wallet = planWallet(signer);
        await family.fund({ chain: harness.chain, token, amountMinor: 3n, recipientAddress: wallet.address, reference: randomUUID() });
        const recipient = harness.freshAddress();
        const prepared = await prepareTransfer(intentOf(wallet, 3n, recipient));
        const operation = throughJson(prepared.operation);
        const approval = family.custodyApproval(signer, await key.sign(family.custodyDigest(operation)));
        expect(await family.checkApproval(operation, throughJson(approval))).toBe(true);
        expect((await outcomeOf(await submit(wallet, prepared, approval))).status).toBe('success');
        expect(await amountOf(recipient)).toBe(3n);
      });
    });

    describe('transfers seen on the chain', () => {
      it('are recorded for the wallets of this service, once, with what made them', async () => {
        const [from, to] = [await aFundedWallet(50n), aWallet()];
        const prepared = await prepareTransfer(intentOf(from.wallet, 20n, to.wallet.address));
        const operationId = await submit(from.wallet, prepared, await from.owner.approve(prepared));
        const outcome = await outcomeOf(operationId);
        const canonical = family.canonicalAddress;
        const seen = () => recorded.transfers.filter((transfer) => canonical(transfer.recipient) === canonical(to.wallet.address));
        await until(async () => {
          await harness.settle();
          return seen().length > 0;
        }, 'the transfer to be seen');
        expect(seen()[0]).toMatchObject({ chain: harness.chain, amountMinor: 20n, succeeded: true, operationId, txId: outcome.onChain['txId'], token: { symbol: harness.testToken } });
        expect(canonical(seen()[0]!.sender)).toBe(canonical(from.wallet.address));
        expect(new Set(seen().map((transfer) => transfer.id)).size).toBe(1);
        expect(await family.chainsInUse()).toContain(harness.chain);
      });
    });
  });
}

function createRecorder(): Recorded {
  const outcomes: OperationOutcome[] = [];
  const transfers: SeenTransfer[] = [];
  const own = new Set<string>();
  const entrances: ChainEntrances = {
    settleOperations: async (_tx, told) => void outcomes.push(...told),
    ownAddresses: async (_tx, addresses) => new Set(addresses.filter((address) => own.has(address))),
    recordTransfers: async (_tx, seen) => void transfers.push(...seen),
    retractTransfers: async () => undefined,
  };
  return { entrances, outcomes, transfers, own };
}

/** What the areas do with everything opaque: it goes into the database and comes back. */
function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  const endAt = Date.now() + waitMaxMs;
  while (!(await check())) {
    if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
    await delay(25);
  }
}

async function refusal(run: Promise<unknown>): Promise<ServiceError> {
  const thrown = await run.then(() => undefined, (error: unknown) => error);
  if (thrown instanceof ServiceError) return thrown;
  throw new Error(`expected a refusal, got ${thrown === undefined ? 'an answer' : String(thrown)}`, { cause: thrown });
}

async function refusalOf(run: Promise<unknown>): Promise<ErrorCode> {
  return (await refusal(run)).code;
}

function codeOf(run: () => unknown): ErrorCode | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return undefined;
}

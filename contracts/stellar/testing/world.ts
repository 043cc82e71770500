import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Networks, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk/base';
import {
  createLocalHost,
  describeError,
  HostFault,
  type LocalHost,
} from '../../../devnet/stellar/host/index.ts';
import { compile, wasmPaths } from '../build.ts';
import {
  type Actor,
  type Approval,
  type Authorization,
  addressValue,
  authorizationEntry,
  type ContractCall,
  type DelegateState,
  dataKey,
  delegateEntryKey,
  deploy,
  findWallet,
  type Group,
  invocationOf,
  nonceOf,
  payloadOf,
  preimageOf,
  readDelegate,
  readWallet,
  type Setup,
  type Stamp,
  signatureValue,
  type WalletError,
  walletEntryKey,
  walletErrorOf,
} from '../index.ts';
import { versionSection } from '../meta.ts';
import { approvalsOf, type TestKey } from './keys.ts';

/** A network with the factory, a token and wallets. */

export type Answer = 'done' | WalletError | 'refused by the host';

export interface Outcome {
  readonly answer: Answer;
  readonly value?: xdr.ScVal;
  /** Why the host refused it. */
  readonly reason?: string;
  readonly instructions?: number;
  readonly events?: number;
}

export interface TestWallet {
  readonly address: string;
  readonly setup: Setup;
  /** Keys of the members, by group. */
  readonly groups: readonly { readonly threshold: number; readonly members: readonly TestKey[] }[];
}

export interface Signing {
  /** By whom, for whom: a group's members, or a delegate. */
  readonly by: readonly TestKey[];
  readonly as?: Actor;
  readonly stamp?: Stamp;
  readonly within?: readonly xdr.SorobanAuthorizedInvocation[];
  /** Instead of that of the call. */
  readonly invocation?: xdr.SorobanAuthorizedInvocation;
  readonly form?: Authorization['form'];
  readonly expirationLedger?: number;
  readonly number?: number;
  /** Changes what is signed, after which the entry says otherwise. */
  readonly signed?: Partial<Authorization>;
  /** Changes what is handed on of it. */
  readonly approvals?: (approvals: Approval[]) => Approval[];
  readonly value?: (value: xdr.ScVal) => xdr.ScVal;
}

export const walletWasm = readFileSync(wasmPaths.wallet);
const factoryWasm = readFileSync(wasmPaths.factory);

/** Sources in this folder, as files that are contracts. */
export async function compileContract(name: string): Promise<Uint8Array> {
  return Buffer.concat([await compile(name), versionSection()]);
}

const tokenWasm = await compileContract('token');
export const contractAddress = (name: string) =>
  StrKey.encodeContract(createHash('sha256').update(name).digest());

export class World {
  readonly host: LocalHost;
  readonly factory: string;
  readonly token: string;
  #number = 0;

  constructor(readonly networkPassphrase: string = Networks.STANDALONE) {
    this.host = createLocalHost({ networkPassphrase });
    this.upload(walletWasm);
    this.factory = this.addContract(factoryWasm);
    this.token = this.addContract(tokenWasm);
  }

  /** @returns its SHA-256 */
  upload(wasm: Uint8Array): Uint8Array {
    return this.host.upload(wasm);
  }

  addContract(wasm: Uint8Array): string {
    return this.host.create({ wasmHash: this.upload(wasm) });
  }

  addToken(): string {
    return this.addContract(tokenWasm);
  }

  exists(address: string): boolean {
    return this.#entry(walletEntryKey(address)) !== undefined;
  }

  get time(): bigint {
    return this.host.ledger.timestamp;
  }

  set time(seconds: bigint) {
    this.host.ledger.timestamp = seconds;
  }

  get ledger(): number {
    return this.host.ledger.sequence;
  }

  set ledger(sequence: number) {
    this.host.ledger.sequence = sequence;
  }

  /** What it got from others. */
  balance(holder: string, token = this.token): bigint {
    const value = this.#entry(dataKey(token, addressValue(holder)));
    return value === undefined ? 0n : (scValToNative(value) as bigint);
  }

  /** The last ledger in which an entry lives. */
  liveUntil(key: xdr.LedgerKey): number | undefined {
    return this.host.ledger.entry(key)?.liveUntil;
  }

  /** As if a number that the wallet keeps had come so far. */
  rewrite({ address }: TestWallet, name: 'epoch' | 'counter', count: number): void {
    const { entries } = this.host.ledger;
    const stored = this.host.ledger.entry(walletEntryKey(address));
    for (const [key, one] of entries) {
      if (one !== stored) continue;
      const bytes = Buffer.from(one.entry.toXdr());
      // A name has eight bytes, and the kind of its value four.
      bytes.writeUInt32BE(count, bytes.indexOf(name) + 12);
      entries.set(key, { ...one, entry: xdr.LedgerEntry.fromXdr(bytes) });
    }
  }

  #entry(key: xdr.LedgerKey): xdr.ScVal | undefined {
    const data = this.host.ledger.entry(key)?.entry.data;
    return data?.type === 'contractData' ? data.contractData.val : undefined;
  }

  /** @param delegates of the set-up */
  wallet(
    groups: TestWallet['groups'],
    { delegates = [], name = 'salt' }: { delegates?: Setup['delegates']; name?: string } = {},
  ): TestWallet {
    const salt = createHash('sha256').update(name).digest();
    const asGroup = ({ threshold, members }: TestWallet['groups'][number]): Group => ({
      threshold,
      members: members.map(({ key }) => key),
    });
    const setup = { salt, groups: groups.map(asGroup), delegates };
    return { address: findWallet(setup, this), setup, groups };
  }

  /**
   * The entry by which `call` is authorised for the wallet; of its first group where nothing else
   * is said.
   */
  sign(wallet: TestWallet, call: ContractCall, signing: Signing): xdr.SorobanAuthorizationEntry {
    const actor = signing.as ?? { group: 0 };
    const stamp = signing.stamp ?? this.stampOf(wallet, actor);
    const authorization: Authorization = {
      networkPassphrase: this.networkPassphrase,
      wallet: wallet.address,
      nonce: nonceOf(stamp, signing.number ?? ++this.#number),
      expirationLedger: signing.expirationLedger ?? this.ledger + 100,
      invocation: signing.invocation ?? invocationOf(call, signing.within),
      form: signing.form ?? 'bound',
    };
    const payload = payloadOf({ ...authorization, ...signing.signed });
    const made =
      'group' in actor
        ? approvalsOf(wallet.groups[actor.group]?.members ?? [], signing.by, payload)
        : signing.by.map((key) => ({ index: 0, ...key.sign(payload) }));
    const approvals = signing.approvals ? signing.approvals(made) : made;
    const value = signatureValue(preimageOf(authorization), actor, approvals);
    return authorizationEntry(authorization, signing.value ? signing.value(value) : value);
  }

  /** What it names when it is signed now. */
  stampOf(wallet: TestWallet, actor: Actor): Stamp {
    if ('group' in actor) return { epoch: this.epochOf(wallet) };
    return { generation: this.delegateOf(wallet, actor)?.generation ?? 0 };
  }

  epochOf({ address }: TestWallet): number {
    const instance = this.#entry(walletEntryKey(address));
    return instance === undefined ? 0 : readWallet(instance).epoch;
  }

  delegateOf(
    { address }: TestWallet,
    { delegate }: Extract<Actor, { delegate: unknown }>,
  ): DelegateState | undefined {
    const value = this.#entry(delegateEntryKey(address, delegate));
    return value && readDelegate(value);
  }

  run(call: ContractCall, entries: xdr.SorobanAuthorizationEntry[] = []): Answer {
    return this.try(call, entries).answer;
  }

  try(
    { contract, method, args }: ContractCall,
    entries: xdr.SorobanAuthorizationEntry[] = [],
  ): Outcome {
    return answerOf(() => this.host.invoke({ contract, fn: method, args, auth: entries }));
  }

  /** Creates it, by anybody. */
  deploy(wallet: TestWallet): TestWallet {
    this.run(deploy(this.factory, wallet.setup));
    return wallet;
  }

  /** What it says when it is asked by anybody. */
  ask(call: ContractCall): unknown {
    const { value } = this.try(call);
    return value && scValToNative(value);
  }

  /** Lets a hostile contract call that. */
  arm(hostile: string, { contract, method, args }: ContractCall): void {
    const { answer } = this.try({
      contract: hostile,
      method: 'arm',
      args: [addressValue(contract), xdr.ScVal.scvSymbol(method), xdr.ScVal.scvVec([...args])],
    });
    if (answer !== 'done') throw new Error(`The hostile contract is not armed: ${answer}`);
  }

  /** Signs and runs. */
  act(wallet: TestWallet, call: ContractCall, signing: Signing): Answer {
    return this.run(call, [this.sign(wallet, call, signing)]);
  }
}

/** What came of a call of the host. */
export function answerOf(
  run: () => {
    readonly result: xdr.ScVal;
    readonly instructions: number;
    readonly events: readonly unknown[];
  },
): Outcome {
  try {
    const { result, instructions, events } = run();
    return { answer: 'done', value: result, instructions, events: events.length };
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    // What `__check_auth` fails with is told in the text alone: the error is one of authorization.
    const code = /Error\(Contract, #(\d+)\)/.exec(
      `${describeError(error.error)} ${error.message}`,
    )?.[1];
    return { answer: walletErrorOf(Number(code)) ?? 'refused by the host', reason: error.message };
  }
}

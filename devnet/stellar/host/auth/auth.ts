import { randomBytes } from 'node:crypto';
import { Address, hash, xdr } from '@stellar/stellar-sdk/base';
import { describeError, fault, HostFault } from '../fault.ts';
import { dataKey, type Storage } from '../storage.ts';
import { Delegates } from './delegates.ts';
import { authorizedOf, normalize, Tracker, toXdr } from './invocations.ts';

/** A call that runs, as authorisations see it. */
export type AuthFrame =
  | {
      readonly kind: 'contract';
      readonly contract: xdr.ScAddress;
      readonly id: string;
      readonly fn: string;
    }
  | { readonly kind: 'create'; readonly args: xdr.CreateContractArgsV2 };

/** What the machine does for authorisations. */
export interface AuthHost {
  readonly storage: Storage;
  readonly networkId: Uint8Array;
  checkAccount(address: xdr.ScAddress, payload: Uint8Array, signature: xdr.ScVal): void;
  checkContract(
    address: xdr.ScAddress,
    args: readonly [payload: xdr.ScVal, signature: xdr.ScVal, contexts: xdr.ScVal],
    mayReenter: boolean,
  ): void;
  contexts(root: xdr.SorobanAuthorizedInvocation): xdr.ScVal;
  /** Reads what a check would read, where there is no signature to check yet. */
  touchAccount(address: xdr.ScAddress): void;
}

interface AddressTracker {
  readonly address: xdr.ScAddress;
  readonly id: string;
  readonly calls: Tracker;
  /**
   * Absent for the account that the transaction is of: its signatures are checked with the
   * envelope.
   */
  readonly credentials?: {
    readonly nonce: bigint;
    readonly expires: number;
    readonly signature: xdr.ScVal;
    readonly isBound: boolean;
    readonly delegates?: Delegates;
  };
  isVerified: boolean;
  /** While its signature is checked it authorises nothing. */
  isBusy: boolean;
}

interface InvokerTracker {
  readonly id: string;
  readonly calls: Tracker;
}

interface Check {
  readonly payload: Uint8Array;
  readonly contexts: xdr.ScVal;
  readonly delegates?: Delegates;
}

export interface AuthOptions {
  readonly source: string;
  /** Absent: what would have to be authorised is recorded. */
  readonly entries?: readonly xdr.SorobanAuthorizationEntry[];
  /**
   * While recording: whether calls below the first may ask for an authorisation that the first did
   * not ask for.
   */
  readonly mayBeBelowRoot?: boolean;
}

export const idOf = (address: xdr.ScAddress): string => Address.fromScAddress(address).toString();

/**
 * Who allows what: signed trees of calls, contracts as callers, and what contracts say for
 * themselves (CAP-46-11, CAP-71).
 */
export class Auth {
  readonly #host: AuthHost;
  readonly #options: AuthOptions;
  readonly #frames: AuthFrame[] = [];
  readonly #checks: Check[] = [];
  readonly #invokers: InvokerTracker[] = [];
  #trackers: AddressTracker[];
  #byObject = new Map<xdr.ScVal, AddressTracker>();

  constructor(host: AuthHost, options: AuthOptions) {
    this.#host = host;
    this.#options = options;
    this.#trackers = (options.entries ?? []).map((entry) => trackerOf(entry, options.source));
  }

  get #isRecording(): boolean {
    return this.#options.entries === undefined;
  }

  push(frame: AuthFrame): void {
    this.#frames.push(frame);
    for (const tracker of this.#trackers) if (!tracker.isBusy) tracker.calls.push();
    for (const { calls } of this.#invokers) calls.push();
  }

  pop(): void {
    this.#frames.pop();
    for (const tracker of this.#trackers) if (!tracker.isBusy) tracker.calls.pop();
    for (const { calls } of this.#invokers) calls.pop();
    while (this.#invokers.at(-1)?.calls.isEmpty) this.#invokers.pop();
  }

  /** What puts everything back as it is now; called within the frame it was taken in. */
  snapshot(): () => void {
    const trackers = [...this.#trackers];
    const byObject = new Map(this.#byObject);
    const invokers = this.#invokers.length;
    const restores = trackers
      .filter(({ isBusy }) => !isBusy)
      .map((tracker) => this.#snapshotOf(tracker));
    restores.push(...this.#invokers.map(({ calls }) => calls.snapshot()));
    return () => {
      this.#trackers = trackers;
      this.#byObject = byObject;
      this.#invokers.length = Math.min(this.#invokers.length, invokers);
      for (const restore of restores) restore();
    };
  }

  #snapshotOf(tracker: AddressTracker): () => void {
    const { isVerified, calls, credentials } = tracker;
    const restores = [
      this.#isRecording ? calls.snapshotWhole() : calls.snapshot(),
      credentials?.delegates?.snapshot(),
    ];
    return () => {
      tracker.isVerified = isVerified;
      for (const restore of restores) restore?.();
    };
  }

  /** @throws HostFault when nobody who may has allowed the call that runs, with these arguments */
  require(address: xdr.ScValAddress, args: readonly xdr.ScVal[]): void {
    const fn = this.#running(args);
    const text = fn.toXdr('base64');
    const id = idOf(address.address);
    if (this.#isInvoker(id, text)) return;
    if (this.#isRecording) this.#record(address, id, fn);
    else this.#enforce(id, text);
  }

  #running(args: readonly xdr.ScVal[]): xdr.SorobanAuthorizedFunction {
    const frame = this.#frames.at(-1);
    if (!frame)
      throw fault('auth', 'InternalError', 'an authorisation is asked for outside any call');
    if (frame.kind === 'create')
      return normalize(
        xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
          frame.args,
        ),
      );
    return contractCall(frame.contract, frame.fn, args);
  }

  #isInvoker(id: string, text: string): boolean {
    if (this.#frames.length < 2) return false;
    const invoker = this.#frames.at(-2)!;
    if (invoker.kind === 'contract' && invoker.id === id) return true;
    const current = this.#frames.at(-1)!;
    return this.#invokers.some(
      (tracker) =>
        !(current.kind === 'contract' && current.id === tracker.id) &&
        tracker.id === id &&
        tracker.calls.use(text, true),
    );
  }

  #enforce(id: string, text: string): void {
    const own = this.#trackers.filter((tracker) => tracker.id === id && !tracker.isBusy);
    const hasActive = own.some(({ calls }) => calls.isActive && !calls.isFrameMatched);
    for (const tracker of own) {
      if (!tracker.calls.use(text, !hasActive)) continue;
      if (!tracker.isVerified) this.#verify(tracker);
      return;
    }
    throw fault('auth', 'InvalidAction', `no authorisation of ${id} for this call`);
  }

  #verify(tracker: AddressTracker): void {
    if (tracker.credentials) {
      tracker.isBusy = true;
      try {
        this.#authenticate(tracker);
      } catch (error) {
        if (!(error instanceof HostFault) || !error.isRecoverable) throw error;
        throw fault(
          'auth',
          'InvalidAction',
          `the signature of ${tracker.id} is refused: ${describeError(error.error)} ${error.message}`,
        );
      } finally {
        tracker.isBusy = false;
      }
      this.#consumeNonce(tracker.address, tracker.credentials);
    }
    tracker.isVerified = true;
  }

  #authenticate({ address, calls, credentials }: AddressTracker): void {
    const { nonce, expires, signature, isBound, delegates } = credentials!;
    const invocation = toXdr(calls.root);
    const contexts = this.#host.contexts(invocation);
    const payload = payloadOf({
      networkId: this.#host.networkId,
      nonce,
      expires,
      invocation,
      address: isBound ? address : undefined,
    });
    this.#checks.push({ payload, contexts, delegates });
    try {
      this.#check(address, signature, true);
    } finally {
      this.#checks.pop();
    }
  }

  #check(address: xdr.ScAddress, signature: xdr.ScVal, mayReenter: boolean): void {
    const { payload, contexts } = this.#checks.at(-1)!;
    if (address.type === 'scAddressTypeAccount')
      return this.#host.checkAccount(address, payload, signature);
    if (address.type !== 'scAddressTypeContract')
      throw fault('object', 'InternalError', 'this kind of address cannot sign');
    this.#host.checkContract(
      address,
      [xdr.ScVal.scvBytes(payload), signature, contexts],
      mayReenter,
    );
  }

  #consumeNonce(
    address: xdr.ScAddress,
    { nonce, expires }: { readonly nonce: bigint; readonly expires: number },
  ): void {
    const { storage } = this.#host;
    if (storage.sequence > expires)
      throw fault('auth', 'InvalidInput', `the signature expired with ledger ${expires}`);
    if (expires > storage.maxLiveUntil)
      throw fault(
        'auth',
        'InvalidInput',
        `the signature may expire in ledger ${storage.maxLiveUntil} at the latest`,
      );
    const value = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }));
    const key = dataKey(address, value, 'temporary');
    if (storage.has(key)) throw fault('auth', 'ExistingValue', 'this nonce was used');
    const data = new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract: address,
      key: value,
      durability: xdr.ContractDataDurability.temporary,
      val: xdr.ScVal.scvVoid(),
    });
    storage.put(
      key,
      xdr.LedgerEntryData.contractData(data),
      Math.max(expires, storage.minLiveUntil('temporary')!),
    );
  }

  #record(address: xdr.ScValAddress, id: string, fn: xdr.SorobanAuthorizedFunction): void {
    const known = this.#byObject.get(address);
    if (known?.calls.hasMatch) {
      if (!known.calls.record(fn))
        throw fault('auth', 'ExistingValue', 'the call is authorised already');
      return;
    }
    const active = this.#trackers.find(
      (tracker) => tracker.id === id && tracker.calls.hasMatch && !tracker.calls.isFrameMatched,
    );
    if (active) {
      active.calls.record(fn);
      return;
    }
    if (!this.#options.mayBeBelowRoot && this.#frames.length !== 1)
      throw fault(
        'auth',
        'InvalidAction',
        `${id} is asked to authorise a call below the first that it does not authorise: call require_auth in the first`,
      );
    const isSource = id === this.#options.source;
    const nonce = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn;
    const tracker: AddressTracker = {
      address: address.address,
      id,
      calls: Tracker.record(fn, this.#frames.length),
      credentials: isSource
        ? undefined
        : { nonce, expires: 0, signature: xdr.ScVal.scvVoid(), isBound: true },
      isVerified: true,
      isBusy: false,
    };
    if (!isSource)
      this.#consumeNonce(address.address, { nonce, expires: this.#host.storage.maxLiveUntil });
    this.#trackers.push(tracker);
    this.#byObject.set(address, tracker);
  }

  /** Calls that the running contract allows in its own name, below the next one it makes. */
  allowAsInvoker(id: string, calls: readonly xdr.SorobanAuthorizedInvocation[]): void {
    for (const call of calls) this.#invokers.push({ id, calls: new Tracker(authorizedOf(call)) });
  }

  get delegatedSigners(): xdr.ScVal[] {
    return this.#currentCheck().delegates?.addresses ?? [];
  }

  /**
   * The running `__check_auth` leaves the decision to another address, whose signature is in the
   * entry.
   */
  delegate(address: xdr.ScValAddress): void {
    const { delegates } = this.#currentCheck();
    if (!delegates)
      throw fault('auth', 'InvalidInput', 'the entry has no signatures of delegated signers');
    const signature = delegates.enter(address);
    this.#check(address.address, signature, false);
    delegates.leave();
  }

  #currentCheck(): Check {
    const check = this.#checks.at(-1);
    const frame = this.#frames.at(-1);
    if (!check || frame?.kind !== 'contract' || frame.fn !== '__check_auth')
      throw fault('context', 'InvalidAction', 'only __check_auth may ask this');
    return check;
  }

  /**
   * While recording: what the checks of signatures will read, as far as it can be told without
   * signatures.
   */
  touchAccounts(): void {
    if (!this.#isRecording) return;
    for (const { address, credentials } of this.#trackers)
      if (credentials) this.#host.touchAccount(address);
  }

  /** Entries to be signed; those of the source account need no signature of their own. */
  recorded(): xdr.SorobanAuthorizationEntry[] {
    return this.#trackers.map(
      ({ address, calls, credentials }) =>
        new xdr.SorobanAuthorizationEntry({
          rootInvocation: toXdr(calls.root),
          credentials: credentials
            ? xdr.SorobanCredentials.sorobanCredentialsAddressV2(
                new xdr.SorobanAddressCredentials({
                  address,
                  nonce: credentials.nonce,
                  signatureExpirationLedger: 0,
                  signature: xdr.ScVal.scvVoid(),
                }),
              )
            : xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
        }),
    );
  }
}

export function contractCall(
  contract: xdr.ScAddress,
  fn: string,
  args: readonly xdr.ScVal[],
): xdr.SorobanAuthorizedFunction {
  return xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
    new xdr.InvokeContractArgs({ contractAddress: contract, functionName: fn, args: [...args] }),
  );
}

function trackerOf(
  { credentials, rootInvocation }: xdr.SorobanAuthorizationEntry,
  source: string,
): AddressTracker {
  const common = {
    calls: new Tracker(authorizedOf(rootInvocation)),
    isVerified: false,
    isBusy: false,
  };
  if (credentials.type === 'sorobanCredentialsSourceAccount') {
    const address = new Address(source).toScAddress();
    return { ...common, address, id: source };
  }
  const delegated =
    credentials.type === 'sorobanCredentialsAddressWithDelegates'
      ? credentials.addressWithDelegates
      : undefined;
  const { address, nonce, signatureExpirationLedger, signature } =
    delegated?.addressCredentials ?? addressOf(credentials);
  return {
    ...common,
    address,
    id: idOf(address),
    credentials: {
      nonce,
      expires: signatureExpirationLedger,
      signature,
      isBound: credentials.type !== 'sorobanCredentialsAddress',
      delegates: delegated && new Delegates(delegated.delegates),
    },
  };
}

function addressOf(
  credentials: Exclude<
    xdr.SorobanCredentials,
    { readonly type: 'sorobanCredentialsSourceAccount' }
  >,
): xdr.SorobanAddressCredentials {
  if (credentials.type === 'sorobanCredentialsAddress') return credentials.address;
  return credentials.type === 'sorobanCredentialsAddressV2'
    ? credentials.addressV2
    : credentials.addressWithDelegates.addressCredentials;
}

interface PayloadParts {
  readonly networkId: Uint8Array;
  readonly nonce: bigint;
  readonly expires: number;
  readonly invocation: xdr.SorobanAuthorizedInvocation;
  /** Absent: the older form, which any account of the same key would accept. */
  readonly address?: xdr.ScAddress;
}

function payloadOf({ networkId, nonce, expires, invocation, address }: PayloadParts): Uint8Array {
  const common = { networkId, nonce, signatureExpirationLedger: expires, invocation };
  const preimage = address
    ? xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
        new xdr.HashIdPreimageSorobanAuthorizationWithAddress({ ...common, address }),
      )
    : xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
        new xdr.HashIdPreimageSorobanAuthorization(common),
      );
  return hash(preimage.toXdr());
}

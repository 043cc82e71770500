import { xdr } from '@stellar/stellar-sdk/base';

/** A call that somebody authorises: which function, and the calls below it. */
export interface Authorized {
  readonly fn: xdr.SorobanAuthorizedFunction;
  /** Two functions are the same when these are. */
  readonly text: string;
  readonly below: Authorized[];
  isUsed: boolean;
}

export function authorizedOf(invocation: xdr.SorobanAuthorizedInvocation): Authorized {
  const fn = normalize(invocation.function);
  return {
    fn,
    text: fn.toXdr('base64'),
    below: invocation.subInvocations.map(authorizedOf),
    isUsed: false,
  };
}

export function recorded(fn: xdr.SorobanAuthorizedFunction): Authorized {
  return { fn, text: fn.toXdr('base64'), below: [], isUsed: true };
}

export function toXdr({ fn, below }: Authorized): xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({ function: fn, subInvocations: below.map(toXdr) });
}

/** A contract without arguments for its constructor has one form, the older. */
export function normalize(fn: xdr.SorobanAuthorizedFunction): xdr.SorobanAuthorizedFunction {
  if (fn.type !== 'sorobanAuthorizedFunctionTypeCreateContractV2HostFn') return fn;
  const { contractIdPreimage, executable, constructorArgs } = fn.createContractV2HostFn;
  if (constructorArgs.length > 0) return fn;
  return xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(
    new xdr.CreateContractArgs({ contractIdPreimage, executable }),
  );
}

type Match = 'none' | 'root' | number;

/**
 * Follows the calls that run through one tree of authorised ones: each of its nodes is good for one
 * call.
 */
export class Tracker {
  readonly root: Authorized;
  #matches: Match[] = [];
  #rootFrame: number | undefined;
  #isDone = false;

  constructor(root: Authorized) {
    this.root = root;
  }

  /** A tree that begins with the call that runs, `depth` frames deep. */
  static record(fn: xdr.SorobanAuthorizedFunction, depth: number): Tracker {
    const tracker = new Tracker(recorded(fn));
    tracker.#matches = [...Array<Match>(depth - 1).fill('none'), 'root'];
    tracker.#rootFrame = depth - 1;
    return tracker;
  }

  push(): void {
    this.#matches.push('none');
  }

  pop(): void {
    this.#matches.pop();
    if (this.#rootFrame !== undefined && this.#rootFrame >= this.#matches.length)
      this.#isDone = true;
  }

  get isEmpty(): boolean {
    return this.#matches.length === 0;
  }

  get isActive(): boolean {
    return this.root.isUsed && !this.#isDone;
  }

  get isFrameMatched(): boolean {
    return (this.#matches.at(-1) ?? 'none') !== 'none';
  }

  get hasMatch(): boolean {
    return this.#matches.some((match) => match !== 'none');
  }

  /** Whether the tree allows the call that runs; it is used up then. */
  use(text: string, mayMatchRoot: boolean): boolean {
    if (this.isFrameMatched) return false;
    const node = this.#current();
    if (node) {
      const index = node.below.findIndex((below) => !below.isUsed && below.text === text);
      if (index < 0) return false;
      node.below[index]!.isUsed = true;
      this.#matches[this.#matches.length - 1] = index;
      return true;
    }
    if (this.root.isUsed || !mayMatchRoot || this.root.text !== text) return false;
    this.root.isUsed = true;
    this.#rootFrame = this.#matches.length - 1;
    this.#matches[this.#rootFrame] = 'root';
    return true;
  }

  /** Adds the call that runs to the tree. Undefined where it is in it already. */
  record(fn: xdr.SorobanAuthorizedFunction): boolean {
    const node = this.#current();
    if (this.isFrameMatched || !node) return false;
    node.below.push(recorded(fn));
    this.#matches[this.#matches.length - 1] = node.below.length - 1;
    return true;
  }

  #current(): Authorized | undefined {
    let node: Authorized | undefined;
    for (const match of this.#matches) {
      if (match === 'root') node = this.root;
      else if (match !== 'none') node = node?.below[match];
    }
    return node;
  }

  snapshot(): () => void {
    const restore = snapshotOf(this.root);
    return () => {
      restore();
      if (this.root.isUsed) return;
      this.#rootFrame = undefined;
      this.#isDone = false;
    };
  }

  /** Of a tree that is being recorded: what was added since is dropped. */
  snapshotWhole(): () => void {
    const restore = snapshotOf(this.root);
    const matches = [...this.#matches];
    const isDone = this.#isDone;
    return () => {
      restore();
      this.#matches = [...matches];
      this.#isDone = isDone;
    };
  }
}

function snapshotOf(node: Authorized): () => void {
  const { isUsed } = node;
  const count = node.below.length;
  const below = node.below.map(snapshotOf);
  return () => {
    node.isUsed = isUsed;
    node.below.length = count;
    for (const restore of below) restore();
  };
}

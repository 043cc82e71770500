import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { compareValues } from '../values/compare.ts';

interface Node {
  readonly address: xdr.ScVal;
  readonly signature: xdr.ScVal;
  readonly below: readonly Node[];
  isUsed: boolean;
}

/**
 * Signatures of other addresses that one account's `__check_auth` may ask for, each once (CAP-71).
 */
export class Delegates {
  readonly #roots: readonly Node[];
  #path: Node[] = [];

  constructor(signatures: readonly xdr.SorobanDelegateSignature[]) {
    this.#roots = nodesOf(signatures);
  }

  get addresses(): xdr.ScVal[] {
    return this.#below().map(({ address }) => address);
  }

  /** Its signature; what is asked from now on is below it, until `leave`. */
  enter(address: xdr.ScVal): xdr.ScVal {
    const node = this.#below().find((below) => compareValues(below.address, address) === 0);
    if (!node) throw fault('auth', 'InvalidInput', 'the delegated signer has given no signature');
    if (node.isUsed) throw fault('auth', 'InvalidInput', 'the delegated signer was asked already');
    node.isUsed = true;
    this.#path.push(node);
    return node.signature;
  }

  leave(): void {
    this.#path.pop();
  }

  snapshot(): () => void {
    const used = [...everyNode(this.#roots)].map((node) => [node, node.isUsed] as const);
    const path = [...this.#path];
    return () => {
      for (const [node, isUsed] of used) node.isUsed = isUsed;
      this.#path = [...path];
    };
  }

  #below(): readonly Node[] {
    return this.#path.at(-1)?.below ?? this.#roots;
  }
}

function nodesOf(signatures: readonly xdr.SorobanDelegateSignature[]): Node[] {
  const nodes = signatures.map(({ address, signature, nestedDelegates }) => ({
    address: xdr.ScVal.scvAddress(address),
    signature,
    below: nodesOf(nestedDelegates),
    isUsed: false,
  }));
  const isOrdered = nodes.every(
    (node, index) => index === 0 || compareValues(nodes[index - 1]!.address, node.address) < 0,
  );
  if (!isOrdered)
    throw fault(
      'auth',
      'InvalidInput',
      'delegated signers are in the order of their addresses, each once',
    );
  return nodes;
}

function* everyNode(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    yield* everyNode(node.below);
  }
}

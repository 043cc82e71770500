import type { Purser, PurserSigner, Review, Signature, Transaction } from '@purser/sdk';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button, Dialog } from './parts.tsx';
import { ReviewSummary, Rows } from './review.tsx';

export interface PurserContext {
  readonly client: Purser;
  /** Who approves what this page starts. */
  readonly signers: readonly PurserSigner[];
  /** Asks the user, before anything is signed. @throws NotApprovedError */
  readonly review: (object: Transaction | Signature, review: Review) => Promise<void>;
}

/** The user has said no: nothing was signed. */
export class NotApprovedError extends Error {
  override readonly name = 'NotApprovedError';
}

const Context = createContext<PurserContext | undefined>(undefined);
const noSigners: readonly PurserSigner[] = [];

export interface PurserProviderProps {
  /** A client with a client key and the JWT of the user. Make it once, outside of components. */
  readonly client: Purser;
  readonly signers?: readonly PurserSigner[];
  /** Your own question in place of the dialog. */
  readonly review?: (object: Transaction | Signature, review: Review) => Promise<void>;
  readonly children: ReactNode;
}

interface Asked {
  readonly object: Transaction | Signature;
  readonly review: Review;
  answer(isApproved: boolean): void;
}

/** Gives client and signers to everything below it, and asks the user before a signer signs. */
export function PurserProvider({
  client,
  signers = noSigners,
  review: ownReview,
  children,
}: PurserProviderProps) {
  const [asked, setAsked] = useState<Asked>();
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const ask = useCallback((object: Transaction | Signature, review: Review): Promise<void> => {
    const turn = queue.current.then(
      () =>
        new Promise<void>((resolve, reject) => {
          setAsked({
            object,
            review,
            answer(isApproved) {
              setAsked(undefined);
              if (isApproved) resolve();
              else reject(new NotApprovedError('You have not approved it: nothing was signed.'));
            },
          });
        }),
    );
    queue.current = turn.catch(() => undefined);
    return turn;
  }, []);

  const review = ownReview ?? ask;
  const context = useMemo(() => ({ client, signers, review }), [client, signers, review]);
  return (
    <Context.Provider value={context}>
      {children}
      {asked && <ReviewDialog key={asked.object.id} {...asked} />}
    </Context.Provider>
  );
}

/** Client, signers and review of the provider above. @throws Error without one */
export function usePurser(): PurserContext {
  const context = useContext(Context);
  if (!context) throw new Error('Put a <PurserProvider client={…}> around this component.');
  return context;
}

function ReviewDialog({ review, answer }: Asked) {
  return (
    <Dialog
      title={review.kind === 'operation' ? 'Approve this?' : 'Sign this?'}
      onClose={() => answer(false)}
    >
      <ReviewSummary review={review} />
      <div className="purser-row">
        <Button kind="quiet" onClick={() => answer(false)}>
          Do not approve
        </Button>
        <Button onClick={() => answer(true)}>Approve</Button>
      </div>
    </Dialog>
  );
}

const isSignature = (object: Transaction | Signature): object is Signature => 'type' in object;

/**
 * What the service says would be done, for lists; before it is signed, the client reads it out of
 * what is hashed.
 */
export function Summary({ object }: { object: Transaction | Signature }) {
  return <Rows rows={rowsOf(object)} />;
}

function rowsOf(object: Transaction | Signature): [name: string, value: string][] {
  if (isSignature(object))
    return [['Message', textOf(object.params['message'] ?? object.params['typedData'])]];
  const { sendParams } = object;
  if (!sendParams) return [['Transaction', textOf(object.params['calls'] ?? object.params)]];
  const { recipient, recipientAddress, amount } = sendParams.params as typeof sendParams.params & {
    amount?: string;
  };
  const [chain, ...token] = sendParams.token.split(':');
  const what = token.join(':');
  return [
    amount === undefined
      ? ['Token', what]
      : ['Amount', `${amount} ${what.startsWith('0x') ? `of ${what}` : what.toUpperCase()}`],
    ['Network', chain!],
    ['To', recipientAddress],
    ...(recipient === recipientAddress
      ? []
      : ([['Who is', recipient]] satisfies [string, string][])),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

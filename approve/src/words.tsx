import type { Review } from '@purser/sdk';
import type { Look } from './api.ts';
import { useBalances } from './balances.ts';
import { ReviewSummary, Rows, visible } from './rows.tsx';
import { headline, limitRows, signerName, warnings } from './sentences.ts';
import type { Verdict } from './verify.ts';

/**
 * What is asked, in words: out of what is hashed where this browser can read it, else as the
 * service says, and it says so.
 */
export function Words({
  look,
  verdict,
}: {
  readonly look: Look;
  readonly verdict: Exclude<Verdict, { kind: 'refused' }>;
}) {
  if (verdict.kind === 'unverifiable')
    return (
      <>
        <h1>
          {look.kind === 'transaction'
            ? 'A transaction waits for you'
            : 'A signature waits for you'}
        </h1>
        <p className="said">{visible(look.says)}</p>
        <div className="warning">
          <p>
            This page cannot read what a wallet on {verdict.family} signs here, so it does not let
            you approve it: what stands above is the service’s word. Approve it in the app or wallet
            that shows what it signs. You can decline it here.
          </p>
        </div>
      </>
    );
  return <Verified look={look} review={verdict.review} />;
}

function Verified({ look, review }: { readonly look: Look; readonly review: Review }) {
  const changes = useBalances(review.kind === 'operation' ? review : undefined);
  const { change } = look;
  const said = saidOf(look);
  return (
    <>
      <h1>{headline(review)}</h1>
      {warnings(review).map((text) => (
        <div key={text} className="warning bad">
          <p>{text}</p>
        </div>
      ))}
      {change && (
        <Rows
          rows={[
            [
              change.kind === 'add' ? 'New signer' : 'Removed signer',
              signerName(change.signer, false),
            ],
          ]}
        />
      )}
      <ReviewSummary review={review} />
      {changes.length > 0 && (
        <table className="balances">
          <caption>What the wallet holds</caption>
          <thead>
            <tr>
              <th scope="col">Token</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ symbol, before, after, isShort }) => (
              <tr key={symbol}>
                <th scope="row">{visible(symbol)}</th>
                <td>{before}</td>
                <td className={isShort ? 'bad' : undefined}>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Rows rows={[['Wallet', review.wallet], ...validity(review)]} />
      {said.length > 0 && (
        <>
          <p className="faint">And by the service’s word:</p>
          <Rows rows={said} />
        </>
      )}
      <details>
        <summary>Checked in this browser</summary>
        <p>
          All that stands above, but for balances and limits, was read here out of what you sign. Of
          that the text below is the hash.
        </p>
        <code className="whole">{review.hash}</code>
        <p className="faint">In the service’s words: {visible(look.says)}</p>
      </details>
    </>
  );
}

/** Limits as they were asked for, and who acts where it is not who approves. */
function saidOf({ change, limits, signer, object }: Look): [name: string, value: string][] {
  const acting = object.params['signer'] as { locator?: string } | undefined;
  const isAnother =
    acting?.locator !== undefined &&
    acting.locator !== signer?.locator &&
    !acting.locator.startsWith('quorum:');
  // Who changes signers is an owner: what counts is what the new one may.
  const bounds = change
    ? limitRows(change.kind === 'add' ? change.signer : {})
    : limits && limitRows(limits);
  return [
    ...(bounds ?? ([['Limit', 'none: an owner of the wallet acts']] satisfies [string, string][])),
    ...(isAnother ? ([['Acts through', acting.locator!]] satisfies [string, string][]) : []),
  ];
}

function validity(review: Review): [name: string, value: string][] {
  if (review.kind !== 'operation') return [];
  const { validUntil, lastLedger } = review;
  if (lastLedger !== undefined) return [['Runs until', `ledger ${lastLedger} of the network`]];
  return validUntil ? [['Runs until', validUntil.toLocaleString()]] : [];
}

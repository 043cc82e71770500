import type { Purser, Review } from '@purser/sdk';
import { type FormEvent, useState } from 'react';
import type { Look } from './api.ts';
import { visible } from './rows.tsx';
import { signerName } from './sentences.ts';
import { type AskForCode, explain, signerOf, waysOf } from './signers.ts';
import { approve } from './verify.ts';

const verbs = {
  passkey: 'Approve with your passkey',
  wallet: 'Approve with your wallet',
  code: 'Send me a code',
} as const;

interface Props {
  readonly look: Look;
  readonly client: Purser;
  /** Absent: this browser has not read what would be signed, and asks nobody to sign it. */
  readonly review?: Review | undefined;
  readonly decline: () => Promise<Look>;
  onDeclined(look: Look): void;
  onApproved(): Promise<void>;
}

interface AskedCode {
  readonly sentTo: string;
  readonly triesLeft?: number;
  answer(code: string | undefined): void;
}

/** The two buttons, and the code in between. */
export function Decide({ look, client, review, decline, onDeclined, onApproved }: Props) {
  const way = waysOf(look);
  const [isBusy, setBusy] = useState(false);
  const [isSure, setSure] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [code, setCode] = useState<AskedCode>();

  const askForCode: AskForCode = (asked) =>
    new Promise((resolve, reject) => {
      setCode({
        ...asked,
        answer(text) {
          setCode(undefined);
          if (text === undefined) reject(new Error('You gave no code. Nothing was approved.'));
          else resolve(text);
        },
      });
    });

  async function run(work: () => Promise<void>) {
    setBusy(true);
    setProblem(undefined);

    try {
      await work();
    } catch (error) {
      setProblem(explain(error));
      setCode(undefined);
    }
    setBusy(false);
  }

  const yes = () =>
    run(async () => {
      await approve(client, look, review!, await signerOf(client, look, askForCode));
      await onApproved();
    });
  const no = () => run(async () => onDeclined(await decline()));

  return (
    <div className="decide">
      {problem !== undefined && (
        <div className="problem" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {look.signer && (
        <p className="faint">You are asked as {visible(signerName(look.signer, true))}.</p>
      )}
      {review && way === undefined && (
        <div className="warning">
          <p>
            This page cannot ask for this signer’s key: it approves where the key is. You can
            decline here.
          </p>
        </div>
      )}
      {code && <CodeForm key={code.triesLeft ?? 'first'} {...code} />}
      {!code && !isSure && (
        <div className="buttons">
          {review && way && (
            <button
              type="button"
              className="primary big"
              disabled={isBusy}
              onClick={() => void yes()}
            >
              {isBusy ? 'Waiting for you…' : verbs[way]}
            </button>
          )}
          <button type="button" className="big" disabled={isBusy} onClick={() => setSure(true)}>
            Decline
          </button>
        </div>
      )}
      {isSure && (
        <div className="sure" role="group" aria-label="Decline?">
          <p>Decline for good? You are not asked for it again.</p>
          <div className="buttons">
            <button
              type="button"
              className="big danger"
              disabled={isBusy}
              onClick={() => void no()}
            >
              Yes, decline
            </button>
            <button type="button" className="big" disabled={isBusy} onClick={() => setSure(false)}>
              Back
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

function CodeForm({ sentTo, triesLeft, answer }: AskedCode) {
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    answer(text.replaceAll(/\s/g, ''));
  };
  return (
    <form onSubmit={send}>
      {triesLeft !== undefined && (
        <div className="problem" role="alert">
          <p>
            That was not the code. {triesLeft} {triesLeft === 1 ? 'try is' : 'tries are'} left.
          </p>
        </div>
      )}
      <label>
        Code that was sent to {sentTo}
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*(\d\s*){6}"
          title="six digits"
          required
          // biome-ignore lint/a11y/noAutofocus: whoever asked for a code types it next.
          autoFocus
        />
      </label>
      <div className="buttons">
        <button type="submit" className="primary big">
          Approve
        </button>
        <button type="button" className="big" onClick={() => answer(undefined)}>
          Back
        </button>
      </div>
    </form>
  );
}

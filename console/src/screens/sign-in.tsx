import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { join, signIn } from '../passkey.ts';
import { Problem } from '../ui.tsx';

function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="door">
      <section>
        <p className="brand">Purser</p>
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}

export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const signing = useMutation({ mutationFn: signIn, onSuccess: onDone });
  return (
    <Door title="Operators’ console">
      <p>
        Sign in with the passkey that you registered. A session lasts eight hours at most; every
        decision asks for the passkey again.
      </p>
      {signing.isError && <Problem error={signing.error} />}
      <button
        type="button"
        className="primary big"
        disabled={signing.isPending}
        onClick={() => signing.mutate()}
      >
        {signing.isPending ? 'Use your passkey…' : 'Sign in with a passkey'}
      </button>
      <p className="faint">
        No passkey yet? Somebody with a shell invites you: <code>purser operators invite</code>
      </p>
    </Door>
  );
}

/** What stands behind the `#` of an invitation, which no server gets. */
export function Join({ onDone }: { readonly onDone: () => void }) {
  const [token] = useState(() => location.hash.slice(1));
  const joining = useMutation({
    mutationFn: async () => {
      await join(token);
      history.replaceState(null, '', location.pathname);
      await signIn();
    },
    onSuccess: onDone,
  });
  return (
    <Door title="You are invited">
      {token === '' ? (
        <p>This link has lost its end. Open it as it was given to you.</p>
      ) : (
        <>
          <p>
            Register a passkey on this device. It signs you in, and signs every decision that you
            make; nobody else can make it for you.
          </p>
          {joining.isError && <Problem error={joining.error} />}
          <button
            type="button"
            className="primary big"
            disabled={joining.isPending}
            onClick={() => joining.mutate()}
          >
            {joining.isPending ? 'Follow your browser…' : 'Register a passkey'}
          </button>
        </>
      )}
    </Door>
  );
}

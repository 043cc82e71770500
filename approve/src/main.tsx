import type { Purser, Review } from '@purser/sdk';
import { StrictMode, useCallback, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { clientOf, decline, getLook, type Look, PageError } from './api.ts';
import { applyBrand, nameOf, tellFrame } from './brand.ts';
import { Decide } from './decide.tsx';
import { visible } from './rows.tsx';
import { type Standing, standingOf } from './sentences.ts';
import { explain } from './signers.ts';
import { type Verdict, verify } from './verify.ts';
import { Words } from './words.tsx';
import 'theme.css';
import './style.css';

const followMs = 2_000;
const followsMax = 150;

function Page() {
  const [look, setLook] = useState<Look>();
  const [problem, setProblem] = useState<PageError>();
  const load = useCallback(async () => {
    try {
      const seen = await getLook();
      applyBrand(seen.page);
      setProblem(undefined);
      setLook(seen);
    } catch (error) {
      setProblem(error instanceof PageError ? error : new PageError(explain(error)));
    }
  }, []);
  useEffect(() => {
    void load();
    const again = () => {
      setLook(undefined);
      void load();
    };
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, [load]);

  if (problem !== undefined && !look)
    return (
      <Shell>
        <h1>This link does not open</h1>
        <p role="alert">{problem.message}</p>
        <p className="faint">Nothing was approved.</p>
        {problem.mayPass && (
          <div className="buttons">
            <button type="button" className="big" onClick={() => void load()}>
              Try again
            </button>
          </div>
        )}
      </Shell>
    );
  if (!look)
    return (
      <Shell>
        <p role="status" className="faint">
          Reading what is asked…
        </p>
      </Shell>
    );
  return (
    <Shell look={look}>
      <Asked key={look.object.id} look={look} onChange={setLook} reload={load} />
    </Shell>
  );
}

function Shell({ look, children }: { readonly look?: Look; readonly children: React.ReactNode }) {
  return (
    <main className="page">
      {look && (
        <header className="brand">
          {look.page.logo && <img src={look.page.logo} alt="" />}
          <span>{visible(nameOf(look.page))}</span>
          {look.environment !== 'production' && (
            <span className="badge warn">{look.environment}: test money</span>
          )}
        </header>
      )}
      <section className="sheet">{children}</section>
    </main>
  );
}

function Asked({
  look,
  onChange,
  reload,
}: {
  readonly look: Look;
  onChange(look: Look): void;
  reload(): Promise<void>;
}) {
  const client = useMemo(() => clientOf(look), [look]);
  const verdict = useVerdict(client, look);
  const standing = standingOf(look);
  const [follows, setFollows] = useState(0);
  useEffect(() => tellFrame(look.page, { id: look.object.id, status: look.object.status }), [look]);
  useEffect(() => {
    if (!standing || standing.isOver || follows >= followsMax) return;
    const timer = setTimeout(() => {
      setFollows((count) => count + 1);
      void reload();
    }, followMs);
    return () => clearTimeout(timer);
  }, [standing, follows, reload]);

  if (standing) return <Outcome look={look} standing={standing} />;
  if (!verdict)
    return (
      <p role="status" className="faint">
        Checking what would be signed…
      </p>
    );
  if (verdict.kind === 'refused')
    return (
      <>
        <h1>Do not approve this</h1>
        <div className="problem" role="alert">
          <p>What the service shows is not what you would sign: {verdict.why}</p>
        </div>
        <p>Nothing was signed. Tell whoever sent you this link.</p>
        <Decide
          look={look}
          onDeclined={onChange}
          onApproved={reload}
          client={client}
          decline={decline}
        />
      </>
    );
  const review: Review | undefined = verdict.kind === 'verified' ? verdict.review : undefined;
  return (
    <>
      <Words look={look} verdict={verdict} />
      <Decide
        look={look}
        review={review}
        onDeclined={onChange}
        onApproved={reload}
        client={client}
        decline={decline}
      />
    </>
  );
}

function useVerdict(client: Purser, look: Look): Verdict | undefined {
  const [verdict, setVerdict] = useState<Verdict>();
  useEffect(() => {
    let isGone = false;
    if (standingOf(look)) return;
    verify(client, look)
      .catch((error: unknown): Verdict => ({ kind: 'refused', why: explain(error) }))
      .then((found) => {
        if (!isGone) setVerdict(found);
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [client, look]);
  return verdict;
}

function Outcome({ look, standing }: { readonly look: Look; readonly standing: Standing }) {
  const { explorerLink, txId } = ('onChain' in look.object ? look.object.onChain : {}) as {
    explorerLink?: string;
    txId?: string;
  };
  const isLink = explorerLink !== undefined && /^https?:\/\//.test(explorerLink);
  return (
    <div role="status" data-status={look.object.status}>
      <h1 className={standing.tone}>{standing.title}</h1>
      <p>{visible(standing.text)}</p>
      <p className="faint whole">What it was about: {visible(look.says)}.</p>
      {isLink && (
        <p>
          <a href={explorerLink} target="_blank" rel="noopener noreferrer">
            See it on the network
          </a>
        </p>
      )}
      {!isLink && txId !== undefined && (
        <p className="faint whole">
          Transaction <code>{txId}</code>
        </p>
      )}
    </div>
  );
}

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);

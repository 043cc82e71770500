import { useEffect, useRef } from 'react';

export interface ApprovalFrameProps {
  /**
   * Of `createTransactionApprovalLink` or `createSignatureApprovalLink`, which your backend calls.
   */
  readonly url: string;
  /** News of the page: read the object itself before you act on it. */
  readonly onStatus?: (news: { readonly id: string; readonly status: string }) => void;
  readonly title?: string;
  readonly className?: string;
}

/**
 * The approval page of the service inside of yours, whose origin the project has to name
 * (`purser approval-page set --frame-origins …`).
 */
export function ApprovalFrame({ url, onStatus, title = 'Approve', className }: ApprovalFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (
        origin !== new URL(url).origin ||
        source !== frame.current?.contentWindow ||
        data?.type !== 'purser-approval'
      )
        return;
      onStatus?.({ id: String(data.id), status: String(data.status) });
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [url, onStatus]);
  return (
    <iframe
      ref={frame}
      src={url}
      title={title}
      className={className}
      allow="publickey-credentials-get"
    />
  );
}

import type { Json } from '../../../lib/json/json.ts';
import type { SubmittedApproval } from '../capabilities/signers.ts';

/**
 * What the signers gave, one after the other; numbers in `{r, s}` are their 64 bytes in
 * hexadecimal.
 */
export function joinHexSignatures(approvals: readonly SubmittedApproval[]): string {
  const texts = approvals.map(({ signature }) => textOf(signature));
  if (texts.length > 1 && texts.every((text) => text.startsWith('0x')))
    return `0x${texts.map((text) => text.slice(2)).join('')}`;
  return texts.join(',');
}

function textOf(signature: Json): string {
  if (typeof signature === 'string') return signature;
  const { r, s } = signature as { readonly r: string; readonly s: string };
  return `0x${wordOf(r)}${wordOf(s)}`;
}

/** 32 bytes in hexadecimal. */
function wordOf(text: string): string {
  return BigInt(/^\d+$/.test(text) || text.startsWith('0x') ? text : `0x${text}`)
    .toString(16)
    .padStart(64, '0');
}

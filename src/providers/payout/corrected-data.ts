import { Secret } from '../../lib/sealing/secret.ts';
import type { CorrectedAccount } from './payout.ts';

/**
 * Fields of a notice of change by its code, as the ACH rules lay them out in 29 characters: start
 * and length. The kind of account comes as a transaction code whose first digit is 2 (checking) or
 * 3 (savings).
 */
const layouts: Readonly<
  Record<
    string,
    {
      account?: readonly [number, number];
      routing?: readonly [number, number];
      kind?: readonly [number, number];
    }
  >
> = {
  C01: { account: [0, 17] },
  C02: { routing: [0, 9] },
  C03: { routing: [0, 9], account: [12, 17] },
  C05: { kind: [0, 2] },
  C06: { account: [0, 17], kind: [20, 2] },
  C07: { routing: [0, 9], account: [9, 17], kind: [26, 2] },
};

/**
 * What a notice of change corrects; empty when the code corrects something else or the data does
 * not have its form.
 */
export function readCorrectedData(code: string, data: string): CorrectedAccount {
  const layout = Object.hasOwn(layouts, code) ? layouts[code] : undefined;
  if (!layout) return {};
  const cut = (field: readonly [number, number] | undefined) =>
    field ? data.slice(field[0], field[0] + field[1]).trim() : undefined;
  const [account, routing, kind] = [cut(layout.account), cut(layout.routing), cut(layout.kind)];
  const accountType = kind === undefined ? undefined : readKind(kind);
  const isWhole =
    (account === undefined || /^[A-Za-z0-9-]{1,17}$/.test(account)) &&
    (routing === undefined || /^\d{9}$/.test(routing)) &&
    (kind === undefined || accountType !== undefined);
  if (!isWhole) return {};
  return {
    ...(account === undefined ? {} : { accountNumber: new Secret(account) }),
    ...(routing === undefined ? {} : { routingNumber: routing }),
    ...(accountType === undefined ? {} : { accountType }),
  };
}

function readKind(code: string): 'checking' | 'savings' | undefined {
  if (/^2[2-5]$/.test(code)) return 'checking';
  return /^3[2-5]$/.test(code) ? 'savings' : undefined;
}

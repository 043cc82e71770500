import { type AuditHead, checkEntry, emptyHead, readEntries } from '../../store/audit-log.ts';
import { afterFailover } from '../../store/remembered.ts';
import { type RowMacs, rowMacsOf } from '../../store/row-mac.ts';
import type { Db } from '../../store/types.ts';
import {
  type Actor,
  type AuditLine,
  actorKeyOf,
  auditCopies,
  auditHashOf,
  commandLineKey,
  readSealedHead,
} from './audit.ts';
import type { RuleAmount } from './second-person.ts';

/**
 * What the audit log says, as this process has verified it: from the first entry on, each by the
 * hash of the one before, up to the sealed head. A row that decides something can be put back as it
 * once was, with its seal. The log only goes forward, so what it said last is asked, too.
 */
export interface AuditTrail {
  /**
   * What was last said of a subject: of each field that an entry changed from something to
   * something, the latter.
   */
  lastOf(subject: string): Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether an action was done or refused; of those of the last two days, longer than any can be
   * approved.
   */
  hasAction(actionId: string): boolean;
  /**
   * What was decided alone since then, by currency, of everybody who the actor may be; of the last
   * two days at most. Whoever is at a command line may be any operator: an operator has decided
   * what was decided there, and a command line is asked about with each of them.
   */
  decidedAlone(of: {
    readonly actor: Actor;
    readonly since: Date;
  }): readonly (readonly RuleAmount[])[];
}

interface Decided extends RuleAmount {
  readonly atMs: number;
  readonly who: string;
}

const actionsKeptMs = 48 * 3_600_000;

class Trail implements AuditTrail {
  at: AuditHead = emptyHead;
  readonly #subjects = new Map<string, Record<string, unknown>>();
  readonly #actions = new Map<string, number>();
  #decided: Decided[] = [];

  lastOf(subject: string) {
    return this.#subjects.get(subject);
  }

  hasAction(actionId: string): boolean {
    return this.#actions.has(actionId);
  }

  decidedAlone({ actor, since }: Parameters<AuditTrail['decidedAlone']>[0]) {
    const recent = this.#decided.filter(({ atMs }) => atMs > since.getTime());
    const who = actorKeyOf(actor);
    const people =
      who === commandLineKey ? new Set([who, ...recent.map((one) => one.who)]) : new Set([who]);
    return [...people].map((person) =>
      sumByCurrency(recent.filter((one) => one.who === person || one.who === commandLineKey)),
    );
  }

  follow(next: AuditHead, text: string): void {
    this.at = next;
    const { actor, subject, changed, outcome, decidedAlone, actionId, at } = JSON.parse(
      text,
    ) as AuditLine;
    const atMs = Date.parse(at);
    if (decidedAlone && outcome === 'done') {
      const { currency, decimals, amountMinor } = decidedAlone;
      const decided = {
        atMs,
        who: actorKeyOf(actor),
        currency: currency.toLowerCase(),
        decimals,
        amountMinor: BigInt(amountMinor),
      };
      this.#decided = [...this.#decided.filter((one) => atMs - one.atMs < actionsKeptMs), decided];
    }
    if (actionId !== undefined) this.#actions.set(actionId, atMs);
    for (const [id, doneMs] of this.#actions) {
      if (atMs - doneMs < actionsKeptMs) break;
      this.#actions.delete(id);
    }
    if (outcome !== 'done' || !subject?.startsWith('operator:')) return;
    const last = this.#subjects.get(subject) ?? {};
    for (const [field, value] of Object.entries(changed))
      if (Array.isArray(value) && value.length === 2) last[field] = value[1];
    this.#subjects.set(subject, last);
  }
}

/** In the smallest unit that any of them has: a token of the same name may count in other units. */
function sumByCurrency(decided: readonly Decided[]): readonly RuleAmount[] {
  const sums = new Map<string, RuleAmount>();
  for (const { currency, ...one } of decided) {
    const { decimals: known, amountMinor: before } = sums.get(currency) ?? {
      decimals: one.decimals,
      amountMinor: 0n,
    };
    const decimals = Math.max(known, one.decimals);
    const amountMinor =
      before * 10n ** BigInt(decimals - known) +
      one.amountMinor * 10n ** BigInt(decimals - one.decimals);
    sums.set(currency, { currency, decimals, amountMinor });
  }
  return [...sums.values()];
}

const trails = new WeakMap<RowMacs, Trail>();

/**
 * Reads what was added since this process looked last. In a transaction, before it appends anything
 * itself.
 * @throws internal-error, after an alarm, when the log is not what it was: altered, cut off,
 * emptied, or put back to an earlier head
 */
export async function readAuditTrail(db: Db): Promise<AuditTrail> {
  const macs = rowMacsOf(db);
  const trail = trails.get(macs) ?? new Trail();
  trails.set(macs, trail);
  const refuse = (seq: bigint, why: string) =>
    macs.refuse({ table: 'audit_entries', id: String(seq) }, why);
  const known = trail.at.seq;
  const head = await readSealedHead(db);
  if (head.seq < known)
    throw refuse(
      head.seq,
      `the log ends here, and this process has seen ${known} entries; ${afterFailover}`,
    );
  while (trail.at.seq < head.seq) {
    const after = trail.at.seq;
    const rows = await readEntries(db, { after, copies: auditCopies });
    // Another look may have been faster, by more than was read here: what it followed is not
    // followed again. From here on nothing waits.
    const fresh = rows.filter(({ seq }) => BigInt(seq) > trail.at.seq && BigInt(seq) <= head.seq);
    if (fresh.length === 0 && trail.at.seq === after)
      throw refuse(trail.at.seq + 1n, 'the entry is missing: the head of the log knows it');
    for (const row of fresh) {
      const next = checkEntry(auditHashOf, trail.at, row);
      if ('problem' in next) throw refuse(next.seq, next.problem);
      if (next.seq === head.seq && !next.hash.equals(head.hash))
        throw refuse(next.seq, 'the head of the log knows another entry');
      trail.follow(next, row.entry);
    }
  }
  if (trail.at.seq === head.seq && !trail.at.hash.equals(head.hash))
    throw refuse(head.seq, `the entry is another one than this process has seen; ${afterFailover}`);
  return trail;
}

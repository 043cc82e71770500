/**
 * The chain's clock. Slots follow the time, and transactions are put into the newest one, as long
 * as it lasts. Blocks are not stored: number, hash and time of each follow from the few places
 * where the even flow was broken.
 */

/** From `slot` on there is a block for each slot, one each `slotMs`. */
export interface Stretch {
  readonly slot: number;
  readonly height: number;
  readonly timeMs: number;
}

export interface SlotState {
  /** How far the chain's time is ahead of the machine's. */
  readonly offsetMs: number;
  readonly stretches: readonly Stretch[];
}

export interface Head {
  readonly slot: number;
  readonly height: number;
}

/** Blocks for which a blockhash may be used. */
export const blockhashAge = 150;
/**
 * A move by more makes this many blocks, so that blockhashes expire, and skips the other slots as a
 * cluster does.
 */
const blocksOfMove = 320;
const stretchesMax = 100_000;

export class Slots {
  readonly slotMs: number;
  #offsetMs: number;
  readonly #stretches: Stretch[];
  readonly #machineMs: () => number;
  /** The machine's clock may be set back; slots do not. */
  #seen = 0;

  constructor(state: SlotState, slotMs: number, machineMs: () => number = Date.now) {
    this.slotMs = slotMs;
    this.#offsetMs = state.offsetMs;
    this.#stretches = [...state.stretches];
    this.#machineMs = machineMs;
  }

  state(): SlotState {
    return { offsetMs: this.#offsetMs, stretches: [...this.#stretches] };
  }

  nowMs(): number {
    return this.#machineMs() + this.#offsetMs;
  }

  head(): Head {
    const last = this.#last();
    const blocks = Math.max(0, Math.floor((this.nowMs() - last.timeMs) / this.slotMs));
    this.#seen = Math.max(this.#seen, last.slot + blocks);
    return { slot: this.#seen, height: last.height + this.#seen - last.slot };
  }

  /** First slot that is still known. */
  first(): number {
    return this.#stretches[0]!.slot;
  }

  /** The block that is being made. */
  current(): Stretch {
    const { slot, height } = this.head();
    return { slot, height, timeMs: this.timeOf(slot) ?? this.nowMs() };
  }

  /**
   * Goes on from a block that a journal tells of: newer blocks are ahead of it, whatever the
   * machine's clock says.
   */
  resume({ slot, height, timeMs }: Stretch): void {
    const last = this.#last();
    if (slot <= last.slot) return;
    const blocks = slot - last.slot;
    if (last.height + blocks === height && last.timeMs + blocks * this.slotMs === timeMs)
      this.#seen = Math.max(this.#seen, slot);
    else this.#begin({ slot, height, timeMs });
  }

  /** Moves the time forward, with as many slots as would have passed. */
  advance(seconds: number): void {
    const before = this.head();
    this.#offsetMs += seconds * 1000;
    const slots = Math.floor((seconds * 1000) / this.slotMs);
    if (slots <= blocksOfMove) return;
    this.#begin({
      slot: before.slot + slots,
      height: before.height + blocksOfMove + 1,
      timeMs: this.nowMs(),
    });
  }

  /**
   * When this slot's block was made; undefined when the slot was skipped, is ahead, or is not known
   * any more.
   */
  timeOf(slot: number): number | undefined {
    const at = this.#indexBySlot(slot);
    const stretch = this.#stretches[at];
    if (!stretch || this.heightOf(slot) === undefined) return undefined;
    const next = this.#stretches[at + 1];
    return Math.min(
      stretch.timeMs + (slot - stretch.slot) * this.slotMs,
      next?.timeMs ?? Number.POSITIVE_INFINITY,
    );
  }

  heightOf(slot: number): number | undefined {
    const at = this.#indexBySlot(slot);
    const stretch = this.#stretches[at];
    if (!stretch || slot > this.head().slot) return undefined;
    const height = stretch.height + slot - stretch.slot;
    const next = this.#stretches[at + 1];
    return next && height >= next.height ? undefined : height;
  }

  slotAt(height: number): number | undefined {
    if (height > this.head().height) return undefined;
    const at = lastIndexUpTo(this.#stretches, (stretch) => stretch.height <= height);
    const stretch = this.#stretches[at];
    return stretch && stretch.slot + height - stretch.height;
  }

  /** Slots that have a block. */
  blocks({
    from,
    upTo,
    limit,
  }: {
    readonly from: number;
    readonly upTo: number;
    readonly limit: number;
  }): number[] {
    const found: number[] = [];
    for (let at = Math.max(0, this.#indexBySlot(from)); at < this.#stretches.length; at++) {
      const stretch = this.#stretches[at]!;
      const next = this.#stretches[at + 1];
      const last = next ? stretch.slot + next.height - stretch.height - 1 : this.head().slot;
      for (let slot = Math.max(from, stretch.slot); slot <= Math.min(last, upTo); slot++) {
        if (found.length >= limit) return found;
        found.push(slot);
      }
    }
    return found;
  }

  /** The block before this one; a cluster's parent slot. */
  parentOf(slot: number): number {
    const height = this.heightOf(slot);
    return (height === undefined ? undefined : this.slotAt(height - 1)) ?? Math.max(0, slot - 1);
  }

  #last(): Stretch {
    return this.#stretches.at(-1)!;
  }

  #begin(stretch: Stretch): Stretch {
    this.#stretches.push(stretch);
    this.#seen = Math.max(this.#seen, stretch.slot);
    if (this.#stretches.length > stretchesMax) this.#stretches.splice(0, stretchesMax / 10);
    return stretch;
  }

  #indexBySlot(slot: number): number {
    return lastIndexUpTo(this.#stretches, (stretch) => stretch.slot <= slot);
  }
}

/**
 * Index of the last item for which the condition holds, when it holds for a first part of the list;
 * -1 for none.
 */
function lastIndexUpTo<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

import { fault } from '../fault.ts';

/** Instructions that an invocation may still use; WebAssembly and host functions draw from it. */
export class Budget {
  readonly max: number;
  left: number;

  constructor(max: number) {
    this.max = max;
    this.left = max;
  }

  get used(): number {
    return this.max - Math.max(0, this.left);
  }

  /** @throws HostFault when nothing is left */
  charge(instructions: number): void {
    this.left -= instructions;
    this.check();
  }

  check(): void {
    if (this.left < 0) throw fault('budget', 'ExceededLimit', `more than ${this.max} instructions`);
  }
}

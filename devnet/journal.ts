import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

/** What a local chain keeps: one line for each change, written before it is answered for. */
export class Journal<Line> {
  readonly #file: string;
  #handle: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * A line that a kill cut off was never answered for.
   * @throws for any other that cannot be read
   */
  lines(): Line[] {
    if (!existsSync(this.#file)) return [];
    const whole = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    return whole.map((text) => JSON.parse(text) as Line);
  }

  /** Replaced in one step by what is known now, then appended to. */
  compact(lines: Iterable<Line>): void {
    const text = [...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#handle = openSync(this.#file, 'a', 0o600);
  }

  append(line: Line): void {
    if (this.#handle !== undefined) writeSync(this.#handle, `${JSON.stringify(line)}\n`);
  }

  sync(): void {
    if (this.#handle !== undefined) fsyncSync(this.#handle);
  }

  close(): void {
    if (this.#handle === undefined) return;
    fsyncSync(this.#handle);
    closeSync(this.#handle);
    this.#handle = undefined;
  }
}

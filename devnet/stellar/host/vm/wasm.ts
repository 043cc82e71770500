import { fault } from '../fault.ts';

/**
 * A contract's module with a meter. Whatever a contract does passes a function's beginning or a
 * loop's, and there its budget is charged for the instructions up to the next such place: an
 * endless loop ends. What the real host refuses is refused here too: floating point, and everything
 * newer than the first version of WebAssembly but sign extension.
 */
export interface ContractModule {
  readonly module: WebAssembly.Module;
  /** Of the interface that it was built for; 0 when it does not say. */
  readonly protocol: number;
}

/**
 * Where the instance keeps what is left of the budget. No contract can name it: it is added behind
 * all of its own.
 */
export const fuelExport = '\u0000fuel';

const memoryPagesMax = 640;
const sectionIds = {
  custom: 0,
  type: 1,
  import: 2,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  code: 10,
};
const i32 = 0x7f;
const i64 = 0x7e;

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** @throws HostFault naming what the network would refuse */
export function meter(given: Uint8Array): ContractModule {
  const wasm = new Uint8Array(given);
  if (!WebAssembly.validate(wasm)) throw refused('this is no valid WebAssembly module');
  const sections = readSections(wasm);
  const body = (id: number) => sections.find((section) => section.id === id)?.body;
  if (body(sectionIds.start)) throw refused('a start function is not allowed');
  if (!body(sectionIds.export)) throw refused('a contract exports its functions');
  const types = body(sectionIds.type);
  if (types) checkTypes(new Reader(types));
  const imports = body(sectionIds.import);
  if (imports) checkImports(new Reader(imports));
  const globals = body(sectionIds.global);
  const fuel = globals ? new Reader(globals).u32() : 0;
  const changed = sections.map((section) => change(section, fuel));
  if (!globals) insertGlobals(changed);
  return {
    module: new WebAssembly.Module(join(wasm.subarray(0, 8), changed)),
    protocol: protocolOf(sections),
  };
}

const refused = (why: string) => fault('wasmVm', 'InvalidInput', why);

function readSections(wasm: Uint8Array): Section[] {
  const reader = new Reader(wasm, 8);
  const sections: Section[] = [];
  while (!reader.isAtEnd) {
    const id = reader.byte();
    sections.push({ id, body: reader.bytes(reader.u32()) });
  }
  return sections;
}

function join(head: Uint8Array, sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const bytes = [...head];
  const parts = sections.map(({ id, body }) =>
    Buffer.concat([Uint8Array.of(id, ...leb(body.length)), body]),
  );
  return new Uint8Array(Buffer.concat([Uint8Array.from(bytes), ...parts]));
}

function change(section: Section, fuel: number): Section {
  switch (section.id) {
    case sectionIds.memory:
      return { id: section.id, body: capMemory(new Reader(section.body)) };
    case sectionIds.global:
      return { id: section.id, body: addGlobal(section.body) };
    case sectionIds.export:
      return { id: section.id, body: addExport(section.body, fuel) };
    case sectionIds.code:
      return { id: section.id, body: meterCode(new Reader(section.body), fuel) };
    default:
      return section;
  }
}

const globalOfFuel = [i32, 1, 0x41, 0, 0x0b];

function addGlobal(body: Uint8Array): Uint8Array {
  const reader = new Reader(body);
  const count = reader.u32();
  return Uint8Array.from([...leb(count + 1), ...reader.rest(), ...globalOfFuel]);
}

function insertGlobals(sections: Section[]): void {
  const at = sections.findIndex(({ id }) => id > sectionIds.memory);
  sections.splice(at, 0, { id: sectionIds.global, body: Uint8Array.from([1, ...globalOfFuel]) });
}

function addExport(body: Uint8Array, fuel: number): Uint8Array {
  const reader = new Reader(body);
  const count = reader.u32();
  const name = Buffer.from(fuelExport);
  return Buffer.concat([
    Uint8Array.from(leb(count + 1)),
    reader.rest(),
    Uint8Array.from([name.length, ...name, 3, ...leb(fuel)]),
  ]);
}

function capMemory(reader: Reader): Uint8Array {
  if (reader.u32() !== 1) throw refused('a contract has one memory');
  const flags = reader.byte();
  if (flags > 1) throw refused('shared and 64-bit memories are not allowed');
  const first = reader.u32();
  const most = flags === 1 ? Math.min(reader.u32(), memoryPagesMax) : memoryPagesMax;
  if (first > most) throw refused(`a contract may have ${memoryPagesMax} pages of memory`);
  return Uint8Array.from([1, 1, ...leb(first), ...leb(most)]);
}

function checkTypes(reader: Reader): void {
  for (let left = reader.u32(); left > 0; left--) {
    if (reader.byte() !== 0x60) throw refused('a type that is no function');
    for (let parameters = reader.u32(); parameters > 0; parameters--) checkType(reader.byte());
    const results = reader.u32();
    if (results > 1) throw refused('functions with several results are not allowed');
    if (results === 1) checkType(reader.byte());
  }
}

function checkType(type: number): void {
  if (type !== i32 && type !== i64)
    throw refused('floating point, vectors and references are not allowed');
}

function checkImports(reader: Reader): void {
  for (let left = reader.u32(); left > 0; left--) {
    reader.bytes(reader.u32());
    reader.bytes(reader.u32());
    if (reader.byte() !== 0) throw refused('only functions may be imported');
    reader.u32();
  }
}

function protocolOf(sections: readonly Section[]): number {
  for (const { body } of sections.filter(({ id }) => id === sectionIds.custom)) {
    const reader = new Reader(body);
    const name = Buffer.from(reader.bytes(reader.u32())).toString();
    if (name === 'contractenvmetav0') return Buffer.from(reader.rest()).readUInt32BE(4);
  }
  return 0;
}

function meterCode(reader: Reader, fuel: number): Uint8Array {
  const count = reader.u32();
  const bodies: Uint8Array[] = [Uint8Array.from(leb(count))];
  for (let left = count; left > 0; left--) {
    const metered = meterFunction(reader.bytes(reader.u32()), fuel);
    bodies.push(Uint8Array.from(leb(metered.length)), metered);
  }
  return Buffer.concat(bodies);
}

function meterFunction(body: Uint8Array, fuel: number): Uint8Array {
  const reader = new Reader(body);
  for (let groups = reader.u32(); groups > 0; groups--) {
    reader.u32();
    checkType(reader.byte());
  }
  const points = [{ at: reader.at, cost: 1 }];
  while (!reader.isAtEnd) {
    points.at(-1)!.cost++;
    if (skipInstruction(reader) === 'loop') points.push({ at: reader.at, cost: 1 });
  }
  const parts: Uint8Array[] = [body.subarray(0, points[0]!.at)];
  points.forEach(({ at, cost }, index) => {
    parts.push(charge(fuel, cost), body.subarray(at, points[index + 1]?.at));
  });
  return Buffer.concat(parts);
}

/** `fuel -= cost; if (fuel < 0) unreachable` */
function charge(fuel: number, cost: number): Uint8Array {
  const global = leb(fuel);
  const spent = [0x23, ...global, 0x41, ...signedLeb(cost), 0x6b, 0x24, ...global];
  return Uint8Array.from([...spent, 0x23, ...global, 0x41, 0, 0x48, 0x04, 0x40, 0x00, 0x0b]);
}

/** @throws HostFault for instructions that the network's machine does not have */
function skipInstruction(reader: Reader): 'loop' | 'other' {
  const code = reader.byte();
  if (code <= 0x04 && code >= 0x02) {
    const type = reader.byte();
    if (type !== 0x40) checkType(type);
    return code === 0x03 ? 'loop' : 'other';
  }
  if ([0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24].includes(code)) reader.u32();
  else if (code === 0x0e) for (let left = reader.u32() + 1; left > 0; left--) reader.u32();
  else if (code === 0x11) {
    reader.u32();
    if (reader.byte() !== 0) throw refused('reference types are not allowed');
  } else if (code >= 0x28 && code <= 0x3e && ![0x2a, 0x2b, 0x38, 0x39].includes(code)) {
    reader.u32();
    reader.u32();
  } else if (code === 0x3f || code === 0x40) reader.byte();
  else if (code === 0x41 || code === 0x42) reader.leb();
  else if (!isPlain(code))
    throw refused(
      `the instruction 0x${code.toString(16)} is not allowed: floating point, or too new`,
    );
  return 'other';
}

/** Instructions without operands of their own, but those on floating point. */
function isPlain(code: number): boolean {
  return (
    [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xa7, 0xac, 0xad].includes(code) ||
    (code >= 0x45 && code <= 0x5a) ||
    (code >= 0x67 && code <= 0x8a) ||
    (code >= 0xc0 && code <= 0xc4)
  );
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}

/** Of a positive number: the sign is a bit more. */
function signedLeb(value: number): number[] {
  const bytes = leb(value);
  const last = bytes.at(-1)!;
  return last < 0x40 ? bytes : [...bytes.slice(0, -1), last | 0x80, 0];
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  bytes(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.at);
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  leb(): void {
    while (this.byte() >= 0x80);
  }
}

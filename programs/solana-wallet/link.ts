/**
 * Makes an SBPF v3 program of one relocatable object of `clang -target bpf -mcpu=v2`: an ELF
 * header, two program headers (rodata at address 0, code at 2^32), no sections; calls of the
 * runtime are `call` with the murmur3 hash of the name.
 */

interface Section {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly align: number;
}

interface ObjectSymbol {
  readonly name: string;
  readonly isSection: boolean;
  readonly section: number;
  readonly value: number;
}

interface Placed {
  readonly bytes: Buffer;
  /** Where each section begins in it. */
  readonly starts: ReadonlyMap<Section, number>;
}

export interface Linked {
  readonly file: Buffer;
  /** What the program calls of the runtime. */
  readonly calls: readonly string[];
}

const sectionTypes = { progbits: 1, symbols: 2, relocations: 9 } as const;
const sectionFlags = { write: 1, allocate: 2, execute: 4 } as const;
const relocationTypes = { address: 1, call: 10 } as const;
const undefinedSection = 0;
const instructionBytes = 8;
const headerBytes = 64;
const programHeaderBytes = 56;
const contentOffset = headerBytes + 2 * programHeaderBytes;
const codeBase = 1n << 32n;
/** Address 0 is NULL: nothing is put there. */
const rodataGap = 16;

/** @throws Error when the object holds what a program may not, e.g. variables */
export function linkProgram(object: Uint8Array, entryName = 'entrypoint'): Linked {
  const elf = Buffer.from(object);
  const sections = readSections(elf);
  if (
    sections.some(
      ({ flags, size }) => (flags & 3) === (sectionFlags.write | sectionFlags.allocate) && size > 0,
    )
  )
    throw new Error('The program has variables that can be written: only constants are allowed.');
  const content = sections.filter(
    ({ type, flags, size }) =>
      type === sectionTypes.progbits && flags & sectionFlags.allocate && size > 0,
  );
  const code = place(elf, content.filter(isCode), 0);
  const rodata = place(
    elf,
    content.filter((section) => !isCode(section)),
    rodataGap,
  );
  const symbols = readSymbols(elf, sections);
  const calls = relocate(elf, { sections, symbols, code, rodata });
  const entry = symbols.find(({ name }) => name === entryName);
  if (!entry) throw new Error(`The program has no function \`${entryName}\`.`);
  const entryAt = code.starts.get(sections[entry.section]!)! + entry.value;
  return {
    file: Buffer.concat([
      writeHeaders(rodata.bytes.length, code.bytes.length, entryAt),
      rodata.bytes,
      code.bytes,
    ]),
    calls,
  };
}

function isCode({ flags }: Section): boolean {
  return (flags & sectionFlags.execute) !== 0;
}

function readSections(elf: Buffer): Section[] {
  const start = Number(elf.readBigUInt64LE(40));
  return Array.from({ length: elf.readUInt16LE(60) }, (_, index) => {
    const at = start + index * 64;
    return {
      type: elf.readUInt32LE(at + 4),
      flags: Number(elf.readBigUInt64LE(at + 8)),
      offset: Number(elf.readBigUInt64LE(at + 24)),
      size: Number(elf.readBigUInt64LE(at + 32)),
      link: elf.readUInt32LE(at + 40),
      info: elf.readUInt32LE(at + 44),
      align: Number(elf.readBigUInt64LE(at + 48)),
    };
  });
}

function readSymbols(elf: Buffer, sections: readonly Section[]): ObjectSymbol[] {
  const table = sections.find(({ type }) => type === sectionTypes.symbols);
  if (!table) throw new Error('The object has no symbols.');
  const names = sections[table.link]!.offset;
  return Array.from({ length: table.size / 24 }, (_, index) => {
    const at = table.offset + index * 24;
    const nameAt = names + elf.readUInt32LE(at);
    return {
      name: elf.toString('latin1', nameAt, elf.indexOf(0, nameAt)),
      isSection: (elf[at + 4]! & 15) === 3,
      section: elf.readUInt16LE(at + 6),
      value: Number(elf.readBigUInt64LE(at + 8)),
    };
  });
}

function place(elf: Buffer, sections: readonly Section[], from: number): Placed {
  const starts = new Map<Section, number>();
  let end = from;
  for (const section of sections) {
    const start = roundUp(end, Math.max(1, section.align));
    starts.set(section, start);
    end = start + section.size;
  }
  const bytes = Buffer.alloc(roundUp(end, 8));
  for (const [section, start] of starts)
    elf.copy(bytes, start, section.offset, section.offset + section.size);
  return { bytes, starts };
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

interface Layout {
  readonly sections: readonly Section[];
  readonly symbols: readonly ObjectSymbol[];
  readonly code: Placed;
  readonly rodata: Placed;
}

/** Writes addresses and calls into the code. @returns names of the runtime's functions */
function relocate(elf: Buffer, layout: Layout): string[] {
  const calls = new Set<string>();
  for (const table of layout.sections.filter(({ type }) => type === sectionTypes.relocations)) {
    const base = layout.code.starts.get(layout.sections[table.info]!);
    if (base === undefined) {
      if (layout.rodata.starts.has(layout.sections[table.info]!))
        throw new Error('A constant holds an address: this linker does not do that.');
      continue;
    }
    for (let at = table.offset; at < table.offset + table.size; at += 16) {
      const target = base + Number(elf.readBigUInt64LE(at));
      const symbol = layout.symbols[elf.readUInt32LE(at + 12)]!;
      const type = elf.readUInt32LE(at + 8);
      if (type === relocationTypes.address) writeAddress(layout, target, symbol);
      else if (type !== relocationTypes.call) throw new Error(`Relocation ${type} is not known.`);
      else if (symbol.section !== undefinedSection) writeOwnCall(layout, target, symbol);
      else {
        calls.add(symbol.name);
        writeRuntimeCall(layout.code.bytes, target, symbol.name);
      }
    }
  }
  return [...calls].sort();
}

function writeAddress({ sections, code, rodata }: Layout, at: number, symbol: ObjectSymbol): void {
  const section = sections[symbol.section]!;
  const start = rodata.starts.get(section) ?? code.starts.get(section)!;
  const base = rodata.starts.has(section) ? 0n : codeBase;
  const address = base + BigInt(start + symbol.value + code.bytes.readUInt32LE(at + 4));
  code.bytes.writeUInt32LE(Number(address & 0xffffffffn), at + 4);
  code.bytes.writeUInt32LE(Number(address >> 32n), at + 12);
}

function writeOwnCall({ sections, code }: Layout, at: number, symbol: ObjectSymbol): void {
  const start = code.starts.get(sections[symbol.section]!)!;
  // Of a call within a section the object says how many instructions it goes on.
  const callee =
    start +
    (symbol.isSection ? (code.bytes.readInt32LE(at + 4) + 1) * instructionBytes : symbol.value);
  code.bytes.writeInt32LE((callee - at) / instructionBytes - 1, at + 4);
  code.bytes[at + 1] = (code.bytes[at + 1]! & 15) | 16;
}

function writeRuntimeCall(bytes: Buffer, at: number, name: string): void {
  bytes.writeUInt32LE(hashName(name), at + 4);
  bytes[at + 1] = bytes[at + 1]! & 15;
}

function writeHeaders(rodataBytes: number, codeBytes: number, entryAt: number): Buffer {
  const header = Buffer.alloc(contentOffset);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header);
  header.writeUInt16LE(3, 16); // shared object
  header.writeUInt16LE(247, 18); // BPF
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(codeBase + BigInt(entryAt), 24);
  header.writeBigUInt64LE(BigInt(headerBytes), 32);
  header.writeUInt32LE(3, 48); // SBPF v3
  header.writeUInt16LE(headerBytes, 52);
  header.writeUInt16LE(programHeaderBytes, 54);
  header.writeUInt16LE(2, 56);
  header.writeUInt16LE(64, 58);
  writeProgramHeader(header, headerBytes, {
    flags: 4,
    offset: contentOffset,
    address: 0n,
    bytes: rodataBytes,
  });
  writeProgramHeader(header, headerBytes + programHeaderBytes, {
    flags: 1,
    offset: contentOffset + rodataBytes,
    address: codeBase,
    bytes: codeBytes,
  });
  return header;
}

interface Segment {
  readonly flags: number;
  readonly offset: number;
  readonly address: bigint;
  readonly bytes: number;
}

function writeProgramHeader(
  header: Buffer,
  at: number,
  { flags, offset, address, bytes }: Segment,
): void {
  header.writeUInt32LE(1, at);
  header.writeUInt32LE(flags, at + 4);
  header.writeBigUInt64LE(BigInt(offset), at + 8);
  header.writeBigUInt64LE(address, at + 16);
  header.writeBigUInt64LE(address, at + 24);
  header.writeBigUInt64LE(BigInt(bytes), at + 32);
  header.writeBigUInt64LE(BigInt(bytes), at + 40);
  header.writeBigUInt64LE(8n, at + 48);
}

/** murmur3, 32 bits, seed 0. */
export function hashName(name: string): number {
  const bytes = Buffer.from(name);
  const tail = bytes.length & ~3;
  let hash = 0;
  for (let at = 0; at < tail; at += 4) {
    hash ^= scramble(bytes.readInt32LE(at));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= tail; at--) rest = (rest << 8) | bytes[at]!;
  if (bytes.length > tail) hash ^= scramble(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

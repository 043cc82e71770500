/**
 * Compiles a schema: moves a mutant that does not fit its place to the next larger piece of code
 * until everything has its types, then makes the code, with next to no optimization.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Abi, Hex } from 'viem';
import type { Artifact } from '../compile.ts';
import type { Node } from './ast.ts';
import { buildSchema, type Schema, type SchemaMutant, switchBase } from './schema.ts';

const require = createRequire(import.meta.url);

/** Without a step of the optimizer, and what lets code with many variables fit the stack. */
const settings = {
  viaIR: true,
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  optimizer: {
    enabled: true,
    runs: 1,
    details: { yul: true, yulDetails: { stackAllocation: true, optimizerSteps: ':' } },
  },
} as const;
const cancunFiles: ReadonlySet<string> = new Set(['SignerVerifier.sol', 'TestCollectibles.sol']);
const roundsMax = 30;

interface Output {
  readonly errors?: readonly {
    readonly severity: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: {
      readonly file: string;
      readonly start: number;
      readonly end: number;
    };
  }[];
  readonly sources?: Readonly<Record<string, { readonly ast: Node }>>;
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences: NonNullable<Artifact['immutableReferences']>;
    };
  };
}

export interface CompiledSchema {
  readonly artifacts: readonly Artifact[];
  /** Numbers of mutants that have no place in it. */
  readonly left: ReadonlySet<number>;
}

/**
 * @param folder of the sources
 * @throws Error with the compiler's errors
 */
export function compileSchema(folder: string, mutants: readonly SchemaMutant[]): CompiledSchema {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'));
  const originals = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const trees = compile(originals, files, { '*': { '': ['ast'] } }, 'cancun').sources ?? {};
  const asts = new Map(files.map((file) => [file, trees[`src/${file}`]!.ast]));
  const { sources, left } = fitSchema(originals, asts, mutants);
  const isCancun = (file: string) => cancunFiles.has(file);
  const artifacts = [
    ...compileCode(
      sources,
      files.filter((file) => !isCancun(file)),
      'paris',
    ),
    ...compileCode(sources, files.filter(isCancun), 'cancun'),
  ];
  return { artifacts: artifacts.sort((a, b) => (a.contractName < b.contractName ? -1 : 1)), left };
}

function fitSchema(
  originals: ReadonlyMap<string, string>,
  asts: ReadonlyMap<string, Node>,
  mutants: readonly SchemaMutant[],
): Schema {
  const levels = new Map<number, number>();
  for (let round = 0; round < roundsMax; round++) {
    const schema = buildSchema(originals, asts, mutants, levels);
    const { errors = [] } = compile(
      schema.sources,
      [...originals.keys()],
      { '*': { '*': ['abi'] } },
      'cancun',
    );
    const wrong = errors.filter(({ severity }) => severity === 'error');
    if (wrong.length === 0) return schema;
    const moved = new Set(wrong.map((error) => mutantAt(schema.sources, error.sourceLocation)));
    if (moved.has(undefined)) throw new Error(wrong.map((one) => one.formattedMessage).join('\n'));
    for (const number of moved) levels.set(number!, (levels.get(number!) ?? 0) + 1);
  }
  throw new Error('The mutants did not find their places: raise roundsMax.');
}

/** The mutant whose switch stands in the place of an error, or else before it. */
function mutantAt(
  sources: ReadonlyMap<string, string>,
  place: NonNullable<Output['errors']>[number]['sourceLocation'],
): number | undefined {
  if (place === undefined) return undefined;
  const text = sources.get(basename(place.file)) ?? '';
  const found = [...text.matchAll(/(?:block\.coinbase == address\(|coinbase\(\), )(\d+)/g)].map(
    (match) => ({ at: match.index, number: Number(match[1]) - switchBase }),
  );
  const inside = found.find(({ at }) => at >= place.start - 30 && at < place.end);
  return (inside ?? found.findLast(({ at }) => at < place.start))?.number;
}

function compileCode(
  sources: ReadonlyMap<string, string>,
  files: readonly string[],
  evmVersion: string,
): Artifact[] {
  const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'];
  const { errors = [], contracts = {} } = compile(
    sources,
    files,
    Object.fromEntries(files.map((file) => [`src/${file}`, { '*': outputs }])),
    evmVersion,
  );
  const wrong = errors.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new Error(wrong.map((one) => one.formattedMessage).join('\n'));
  return files
    .flatMap((file) => Object.entries(contracts[`src/${file}`] ?? {}))
    .filter(([, { evm }]) => evm.bytecode.object !== '')
    .map(([contractName, { abi, evm }]) => ({
      contractName,
      abi,
      bytecode: `0x${evm.bytecode.object}` as Hex,
      deployedBytecode: `0x${evm.deployedBytecode.object}` as Hex,
      ...(Object.keys(evm.deployedBytecode.immutableReferences).length > 0 && {
        immutableReferences: evm.deployedBytecode.immutableReferences,
      }),
    }));
}

function compile(
  sources: ReadonlyMap<string, string>,
  files: readonly string[],
  outputSelection: unknown,
  evmVersion: string,
): Output {
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): object }): string;
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      files.map((file) => [`src/${file}`, { content: sources.get(file) }]),
    ),
    settings: { ...settings, evmVersion, outputSelection },
  };
  const readSource = (path: string) => {
    const ours = path.startsWith('src/') ? sources.get(basename(path)) : undefined;
    if (ours !== undefined) return { contents: ours };
    try {
      return { contents: readFileSync(require.resolve(path), 'utf8') };
    } catch (error) {
      return { error: String(error) };
    }
  };
  return JSON.parse(solc.compile(JSON.stringify(input), { import: readSource })) as Output;
}

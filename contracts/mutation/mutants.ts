/**
 * Small changes to the sources of contracts (Solidity, AssemblyScript), each of which a test should
 * notice.
 */
import { constantsBeside, swapOf } from '../../test/mutation/changes.ts';

export interface Mutant {
  /** Stable for one state of the sources: file, line, column, change. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole file with the change. */
  readonly source: string;
}

interface Operator {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replace: (...groups: string[]) => readonly string[];
}

const operators: readonly Operator[] = [
  {
    name: 'operator',
    pattern: /(?<= )(<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|<|>|\+|-|\*|\/|&|\|)(?= )/g,
    replace: (_, sign = '') => swapOf[sign] ?? [],
  },
  {
    name: 'condition',
    pattern: /\bif \((.+)\) (?=\{|revert|return|continue)/g,
    replace: () => ['if (false) ', 'if (true) '],
  },
  { name: 'negation', pattern: /\biszero\(/g, replace: () => ['not('] },
  {
    name: 'constant',
    pattern: /(?<![\w.])(\d[\d_]*)(?![\w.])/g,
    replace: (_, number = '') => constantsBeside(number),
  },
  {
    name: 'hex',
    pattern: /(?<=[(, ])(0x[0-9a-f]{2,4})(?=[),])/g,
    replace: (_, number = '') => [`0x${(Number(number) + 32).toString(16)}`],
  },
  {
    name: 'boolean',
    pattern: /\b(true|false)\b/g,
    replace: (_, value = '') => [value === 'true' ? 'false' : 'true'],
  },
  {
    name: 'statement',
    pattern:
      /^( +)((?!return|revert|emit|if|for|else|let|import|using|error|event|bytes|uint|address|bool|mapping)[\w.[\]]+(?:\([^;{}]*\)| \|?[-+]?= [^;{}]+);)$/g,
    replace: (_, indent = '') => [`${indent}{}`],
  },
];

/**
 * What only AssemblyScript writes so: its conditions are arguments of `require`, and its marks are
 * numbers to the base of 16.
 */
const assemblyScriptOperators: readonly Operator[] = [
  ...operators.filter(({ name }) => name !== 'hex' && name !== 'negation'),
  { name: 'not', pattern: /!(?=[a-zA-Z])/g, replace: () => [''] },
  {
    name: 'hex',
    pattern: /\b(0x[0-9a-f]+)\b/g,
    replace: (_, number = '') => [`0x${(Number(number) + 1).toString(16)}`],
  },
];

/**
 * Every mutant of a file. Comments, declarations without a body, texts of hashes, tables of numbers
 * and imports are left alone.
 */
export function findMutants(file: string, source: string): Mutant[] {
  const lines = source.split('\n');
  const found: Mutant[] = [];
  const known = file.endsWith('.as') ? assemblyScriptOperators : operators;
  for (const [index, line] of lines.entries()) {
    if (
      /^\s*(?:\/\/|\*|@external|(?:\d+, )+\d+,$|import|pragma|event|error|struct|interface|using|\/\*)/.test(
        line,
      ) ||
      line.includes('"memory-safe"') ||
      /keccak256\($|^\s+"/.test(line)
    )
      continue;
    const code = line.replace(/\s*\/\/.*$/, '');
    for (const { name, pattern, replace } of known) {
      for (const match of code.matchAll(pattern)) {
        // Loops that never end would only waste time.
        if (code.includes('for (') && name !== 'operator') continue;
        for (const after of replace(...match)) {
          const changed =
            code.slice(0, match.index) + after + code.slice(match.index + match[0].length);
          if (changed === code) continue;
          found.push({
            id: `${file}:${index + 1}:${match.index}:${name}:${after.trim()}`,
            file,
            line: index + 1,
            before: code.trim(),
            after: changed.trim(),
            source: [...lines.slice(0, index), changed, ...lines.slice(index + 1)].join('\n'),
          });
        }
      }
    }
  }
  return found;
}

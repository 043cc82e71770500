import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sourceAliases } from '../../test/harness/source-aliases.ts';
import { root } from './packed.ts';

/** A fenced block of a page for people. */
export interface CodeBlock {
  readonly page: string;
  /** Of its first line. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Declarations of what the reader has, from the comment `<!-- given … -->` right before it. */
  readonly given: string;
}

const pages = [
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
  'README.md',
  'sdk/README.md',
  'sdk-react/README.md',
];

/** Every fenced block of guides and READMEs. */
export function readCodeBlocks(): CodeBlock[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    return [
      ...text.matchAll(
        /(?:^ *<!-- given\n(?<given>[\s\S]*?)-->\n)?^(?<indent> *)```(?<language>\w+)\n(?<code>[\s\S]*?)^ *```$/gm,
      ),
    ].map((match) => {
      const { given = '', indent = '', language = '', code = '' } = match.groups!;
      const before = text.slice(0, match.index + match[0].indexOf('```'));
      const outdent = (lines: string) => lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      return {
        page,
        line: before.split('\n').length + 1,
        language,
        code: outdent(code),
        given: outdent(given),
      };
    });
  });
}

/** The one block of a page in a language that contains a text. */
export function findBlock(page: string, language: string, containing: string): CodeBlock {
  const found = readCodeBlocks().filter(
    (block) =>
      block.page === page && block.language === language && block.code.includes(containing),
  );
  if (found.length !== 1)
    throw new Error(`${page} has ${found.length} blocks of ${language} with ${containing}`);
  return found[0]!;
}

/**
 * Runs a block as a module of its own, with what its reader is said to have.
 * @returns the values of the names that are asked for
 */
export async function runBlock<Name extends string = never>(
  block: CodeBlock,
  given: Readonly<Record<string, unknown>>,
  names: readonly Name[] = [],
): Promise<Record<Name, unknown>> {
  const declared = [...block.given.matchAll(/^declare const (\w+)/gm)].map((match) => match[1]!);
  const missing = declared.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw new Error(`${block.page}:${block.line} needs ${missing.join(', ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'purser-block-'));
  try {
    const place = `given of ${folder}`;
    const globals = globalThis as unknown as Record<string, unknown>;
    globals[place] = given;
    const outfile = join(folder, 'block.mjs');
    await build({
      stdin: {
        contents: `const { ${declared.join(', ')} } = globalThis[${JSON.stringify(place)}];\n${block.code}\nexport { ${names.join(', ')} };`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'es2022',
      alias: sourceAliases,
      logLevel: 'silent',
    });
    try {
      return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Record<
        Name,
        unknown
      >;
    } finally {
      delete globals[place];
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A project for the compiler with each block in a file of its own; `nameOf` puts page and line into
 * what the compiler says.
 */
export async function writeProject(
  blocks: readonly CodeBlock[],
  options: object,
): Promise<{ folder: string; nameOf(file: string): string }> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-blocks-'));
  const names = new Map<string, CodeBlock>();
  for (const [index, block] of blocks.entries()) {
    const file = `block-${index}.${block.language === 'tsx' ? 'tsx' : 'ts'}`;
    names.set(file, block);
    await writeFile(join(folder, file), `${block.given}${block.code}\nexport {};\n`);
  }
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    jsx: 'react-jsx',
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    paths: {
      '@purser/sdk': [join(root, 'sdk/src/index.ts')],
      '@purser/react': [join(root, 'sdk-react/src/index.ts')],
      '@purser/react/styles.css': [join(root, 'sdk-react/src/styles.css')],
    },
    ...options,
  };
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'css.d.ts'), "declare module '*.css';\n");
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*'] }),
  );
  return {
    folder,
    nameOf(text) {
      return text.replaceAll(/[^\s]*block-\d+\.tsx?\((\d+),/g, (whole, line: string) => {
        const block = names.get(whole.slice(whole.indexOf('block-'), whole.indexOf('(')))!;
        return `${block.page}:${block.line + Number(line) - block.given.split('\n').length}(`;
      });
    },
  };
}

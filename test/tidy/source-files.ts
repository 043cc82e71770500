import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** TypeScript files below a folder of the project. */
export const sourceFiles = (folder: string): SourceFile[] => filesBelow(folder, /\.ts$/);

/** @param isWanted of a file's name */
export function filesBelow(folder: string, isWanted: RegExp): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({
      path: relative(root, path).replaceAll('\\', '/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/** Files below `src` that run in production: no tests, no contract suites, no kits for them. */
export function productionFiles(): SourceFile[] {
  return sourceFiles('src').filter(
    (file) =>
      !/\.(test|contract)\.ts$|-kit\.ts$|-child\.ts$|\/(?:testing|family-contract)\//.test(
        file.path,
      ),
  );
}

const fromRoot = (file: SourceFile, specifier: string) =>
  specifier.startsWith('.')
    ? relative(root, resolve(root, dirname(file.path), specifier)).replaceAll('\\', '/')
    : specifier;

/** What a file imports: paths from the root for own files, package names for the rest. */
export function importsOf(file: SourceFile): string[] {
  return [...file.text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) =>
    fromRoot(file, match[1]!),
  );
}

/** What is there when the file runs: imports and exports of types alone are left out. */
export function valueImportsOf(file: SourceFile): string[] {
  const isOfTypes = (names: string) =>
    names.split(',').every((name) => /^\s*(?:type\s.*)?$/s.test(name));
  return [
    ...file.text.matchAll(
      /^(?:import|export) (type )?(?:\{([^}]*)\}|[^'{]*?) ?(?:from )?'([^']+)';/gm,
    ),
  ]
    .filter(([, isType, names]) => !isType && !(names !== undefined && isOfTypes(names)))
    .map((match) => fromRoot(file, match[3]!));
}

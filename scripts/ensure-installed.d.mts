interface LockFile {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}
export function findNodeProblem(version?: string): string | undefined;
export function findMissing(lock: LockFile, installed: LockFile | undefined, machine?: { readonly platform: string; readonly arch: string }): string | undefined;
export function ensureInstalled(input: { readonly root: string; readonly log?: (message: string) => void; readonly npm?: readonly string[] }): Promise<'present' | 'installed'>;

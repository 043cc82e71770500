interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export function findUnlocked(lock: LockFile): readonly { readonly name: string; readonly version: string; readonly parent: LockedPackage }[];
export function findUnsealed(lock: LockFile): readonly { readonly path: string; readonly name: string; readonly version: string }[];
export function platformOf(name: string): { readonly os: readonly string[]; readonly cpu: readonly string[]; readonly libc?: readonly string[] };

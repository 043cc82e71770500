/**
 * What the host uses of WebAssembly: the types of Node have none, and those of browsers are not
 * loaded here.
 */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    static imports(
      module: Module,
    ): { readonly module: string; readonly name: string; readonly kind: string }[];
    static exports(module: Module): { readonly name: string; readonly kind: string }[];
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  class Global {
    private constructor();
    value: number;
  }
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
  }
  class RuntimeError extends Error {}
  class LinkError extends Error {}
  function validate(bytes: Uint8Array): boolean;
}

/** Node's WebAssembly, whose types come with the browser's and not with Node's. */

interface Part {
  readonly name: string;
  readonly kind: string;
}

export interface WasmModule {
  readonly file: Uint8Array;
  readonly imports: readonly (Part & { readonly module: string })[];
  readonly exports: readonly Part[];
  customSection(name: string): Uint8Array | undefined;
}

interface Module {
  readonly module: never;
}

interface Api {
  readonly Module: {
    new (file: Uint8Array): Module;
    imports(module: Module): WasmModule['imports'];
    exports(module: Module): WasmModule['exports'];
    customSections(module: Module, name: string): ArrayBuffer[];
  };
}

export function readModule(file: Uint8Array): WasmModule {
  const { Module } = (globalThis as unknown as { WebAssembly: Api }).WebAssembly;
  const module = new Module(new Uint8Array(file));
  return {
    file,
    imports: Module.imports(module),
    exports: Module.exports(module),
    customSection(name) {
      const [content] = Module.customSections(module, name);
      return content && new Uint8Array(content);
    },
  };
}

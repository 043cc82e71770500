import { defineConfig } from 'vite';

// In a project of its own this file is not needed: @purser/sdk and @purser/react are installed
// there, here they are read from source.
export default defineConfig({ resolve: { tsconfigPaths: true } });

export { type LiveServer, type LiveServerOptions, type ShownRun, startLiveServer } from './server.ts';

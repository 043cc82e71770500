export { type LiveServer, type ShownRun, startLiveServer } from './server.ts';

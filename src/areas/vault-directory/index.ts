export { createDirectoryPusher, type DirectoryPusher, directoryPushMs } from './push.ts';

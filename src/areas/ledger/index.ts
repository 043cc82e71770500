export { decodeEntryCursor, encodeEntryCursor } from './cursor.ts';

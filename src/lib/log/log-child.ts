import { createLogger } from './log.ts';

// A process that logs to its standard output and says on the other one that it got through: for the
// test of a full disk.
const log = createLogger({ level: 'info', process: 'test' });
for (let line = 0; line < 3; line++) log.info({ line }, 'one');
log.fatal('the last one');
process.stderr.write('through');

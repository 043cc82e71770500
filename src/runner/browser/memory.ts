import { readdir, readFile } from 'node:fs/promises';

/**
 * Reads the memory of a process group again and again, in bytes: proportional shares where they can
 * be read, else what is not shared. Linux only; 0 elsewhere. Of a machine's many processes only
 * those are looked at that were not there the last time.
 */
export function createGroupMemory(groupId: number): () => Promise<number> {
  let groups = new Map<number, number | undefined>();
  return async () => {
    const known = groups;
    const ids = await processIds();
    const read = await Promise.all(
      ids.map(async (id) => [id, known.has(id) ? known.get(id) : await readGroup(id)] as const),
    );
    groups = new Map(read);
    const sizes = await Promise.all(ids.filter((id) => groups.get(id) === groupId).map(readMemory));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
}

/** Ids of the processes of a group. */
export async function processesOf(groupId: number): Promise<number[]> {
  const ids = await processIds();
  const groups = await Promise.all(ids.map(readGroup));
  return ids.filter((_, index) => groups[index] === groupId);
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function readGroup(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name stands in parentheses and may hold any character.
  const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || group === undefined ? undefined : Number(group);
}

const pageBytes = 4_096;

async function readMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const pssKib = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
  if (pssKib !== undefined) return Number(pssKib) * 1_024;
  const [, resident, shared] = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => ''))
    .split(' ')
    .map(Number);
  return ((resident ?? 0) - (shared ?? 0)) * pageBytes;
}

import type { KillPoint } from '../../family/late/types.ts';

/** Where a worker's process ends, the hard way; without a point it runs until killed. */
export interface KillSetup<Point extends string = KillPoint> {
  readonly killAt?: Point | undefined;
  /** At which passing of the point; 1 is the first. */
  readonly killAtCount?: number | undefined;
}

export function killPointOf<Point extends string>({
  killAt,
  killAtCount = 1,
}: KillSetup<Point>): (point: Point) => void {
  let passed = 0;
  return (point) => {
    if (point === killAt && ++passed >= killAtCount) process.kill(process.pid, 'SIGKILL');
  };
}

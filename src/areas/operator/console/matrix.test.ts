import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../agent-checkouts/live/test-kit.ts';
import { createProject } from '../../projects/index.ts';
import { operatorRules } from '../actions/registry.ts';
import { type Filled, fillCheckout, fillProject } from '../testing/console-fill-kit.ts';
import { type ConsoleWorld, type SignedIn, startConsoleWorld } from '../testing/console-kit.ts';
import { consoleRoutes } from './routes.ts';

/** Route × role × project and rule × role × project, over whatever routes and rules there are. */

const roles = ['viewer', 'support', 'finance', 'admin'] as const;

let world: ConsoleWorld;
let elsewhere: string;
let own: Filled;
let run: TestRun;
beforeAll(async () => {
  world = await startConsoleWorld();
  elsewhere = (await createProject(world.ctx, { name: 'Another project' })).id;
  own = await fillProject(world, { projectId: world.api.projectId, text: 'ours' });
  run = await fillCheckout(world, Buffer.from('ffd8ffe000104a46494600', 'hex'));
}, 60_000);
afterAll(() => world?.close());

/** What tells of the instance as a whole: a role in one project is not enough. */
const ofTheWhole = ['/health', '/health/hours', '/clock', '/payouts/switch', '/operators'];
/** A list of news that does not end; `screens.test.ts` reads it. */
const endless = '/stream';

const reads = consoleRoutes
  .filter(({ method, path }) => method === 'GET' && /^\/api\/[^*]/.test(path))
  .map(({ path }) => path.slice('/api'.length))
  .filter((path) => path !== endless);

/** What there is of a kind in the project of `own`, by the first word of the route. */
const ids = (): Readonly<Record<string, string>> => ({
  orders: own.payoutOrderId,
  wallets: own.walletId,
  checkouts: run.id,
  webhooks: own.endpointId,
  deliveries: own.deliveryId,
  users: own.userId,
  projects: world.api.projectId,
  actions: action,
});
let action: string;

const statusOf = async (who: SignedIn, path: string): Promise<number> => {
  const kind = path.split('/')[1]!;
  const id = ids()[kind];
  if (path.includes(':id') && id === undefined)
    throw new Error(`"${path}" is new here: say whose id it takes.`);
  const asked = path.replace(':id', id ?? '').replace(':nr', '2');
  return (await world.call('GET', `/api${asked}`, { cookie: who.cookie })).status;
};

describe('each route that shows something', () => {
  it.each(roles)(
    'shows a %s what his project has, and nobody else of it anything',
    { tags: 'slow' },
    async (role) => {
      const who = await world.anOperator(role, world.api.projectId);
      const stranger = await world.anOperator(role, elsewhere);
      const signed = { action: 'reconciliation.ask', projectId: world.api.projectId, params: {} };
      action = (await world.act(await world.anOperator('admin'), signed)).id;
      const seen: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const path of reads) {
        const there = `${path}?project=${elsewhere}`;
        seen[path] = [await statusOf(who, path), await statusOf(who, there)];
        expected[path] = [ofTheWhole.includes(path) ? 403 : 200, 403];
        if (!path.includes(':id')) continue;
        seen[`${path} of others`] = await statusOf(stranger, path);
        expected[`${path} of others`] = 404;
      }
      Object.assign(expected, {
        // Names and addresses of buyers may stand on them.
        '/checkouts/:id/pictures/:nr': [role === 'viewer' ? 403 : 200, 403],
        // No network is configured here, which is told to whoever may ask.
        '/wallets/:id/balances': [400, 403],
        // Its operator's alone.
        '/actions/:id': [400, 403],
        '/actions/:id of others': 400,
        '/projects/:id of others': 403,
        ...(role === 'viewer' && { '/checkouts/:id/pictures/:nr of others': expect.any(Number) }),
      });
      expect(seen).toEqual(expected);
    },
  );

  it('shows the instance as a whole to whoever has a role in every project', async () => {
    const [viewer, admin] = [await world.anOperator('viewer'), await world.anOperator('admin')];
    for (const path of ofTheWhole) {
      expect(await statusOf(viewer, path), path).toBe(path === '/operators' ? 403 : 200);
      expect(await statusOf(admin, path), path).toBe(200);
    }
  });
});

describe('each rule', { tags: 'slow' }, () => {
  /** What it takes at least; whoever adds a rule says it here. */
  const needs: Readonly<Record<string, (typeof roles)[number]>> = {
    'actions.approve': 'support',
    'actions.reject': 'support',
    'approval-page.set': 'admin',
    'checkouts.decide': 'finance',
    'clock.advance': 'admin',
    'deposits.assign': 'finance',
    'deposits.keep': 'finance',
    'deposits.return': 'finance',
    'identity.switch': 'admin',
    'issuers.remove': 'admin',
    'keys.revoke': 'admin',
    'operators.sign-out': 'support',
    'orders.acknowledge': 'support',
    'orders.hold.refuse': 'finance',
    'orders.hold.release': 'finance',
    'orders.look': 'support',
    'orders.refunds.accept': 'finance',
    'orders.refunds.complete': 'finance',
    'orders.refunds.reject': 'support',
    'orders.resolve.close': 'finance',
    'orders.resolve.continue': 'finance',
    'orders.resolve.refund': 'finance',
    'reconciliation.ask': 'support',
    'treasury.fund': 'finance',
    'treasury.withdraw': 'finance',
    'users.erase': 'admin',
    'users.sign-out': 'support',
    'webhooks.resend': 'support',
    'webhooks.switch': 'support',
  };

  it('is asked for by whoever has its role in the project, and by nobody else', async () => {
    expect(Object.keys(needs).toSorted()).toEqual([...operatorRules.keys()].toSorted());
    for (const role of roles) {
      const who = await world.anOperator(role, world.projectId);
      for (const [name, least] of Object.entries(needs)) {
        const may = roles.indexOf(role) >= roles.indexOf(least);
        const ask = async (projectId: string) =>
          (await world.act(who, { action: name, projectId, params: { id: randomUUID() } })).asked
            .status;
        expect(await ask(world.projectId), `${role} ${name}`).toBe(may ? 202 : 403);
        expect(await ask(elsewhere), `${role} ${name} elsewhere`).toBe(403);
      }
    }
  });
});

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEndpoint, listEndpoints } from '../endpoints/endpoints.ts';
import {
  answerWith,
  type Receiver,
  startReceiver,
  startWorld,
  type World,
} from '../testing/test-kit.ts';
import { listen } from './listen.ts';

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
});
afterAll(async () => {
  await receiver?.close();
  await world?.close();
});

const endpoints = async () =>
  (await listEndpoints(world.api.ctx, { projectId: world.api.projectId })).entries;

/** Runs the command until `act` is done. */
async function whileListening(
  act: (printed: string[]) => Promise<void>,
  to = receiver.url,
): Promise<string[]> {
  const printed: string[] = [];
  const stop = new AbortController();
  const { ctx, projectId } = world.api;
  const done = listen(ctx, {
    projectId,
    to,
    print: (line) => printed.push(line),
    signal: stop.signal,
  });
  await expect.poll(() => printed.length).toBe(1);
  await act(printed);
  stop.abort();
  await done;
  return printed;
}

test('webhooks reach a receiver on this machine, signed, and are printed; the endpoint ends with the command', async () => {
  const printed = await whileListening(async ([first]) => {
    await world.happen([{}]);
    await world.deliver();
    const [{ body, headers }] = receiver.received as [Receiver['received'][number]];
    const secret = /whsec_\S+/.exec(first!)![0];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'orders.payment.succeeded',
    });
  });
  expect(printed[1]).toMatch(/^orders\.payment\.succeeded → 204\n/);
  expect(printed[1]).toContain('"orderId": "1"');
  expect(await endpoints()).toEqual([]);
});

test('a receiver that refuses or is away is told, and asked again like every other', async () => {
  receiver.answer = answerWith(500, {}, 'out of order');
  const refused = await whileListening(async () => {
    await world.happen([{}]);
    await world.deliver();
  });
  expect(refused[1]).toMatch(/→ 500 out of order; it is tried again/);
  const away = await whileListening(async () => {
    await world.happen([{}]);
    await world.deliver();
  }, 'http://127.0.0.1:1/hooks');
  expect(away[1]).toMatch(/nobody answered \((?:ECONNREFUSED|bad port)\); it is tried again/);
});

test('a receiver whose answer never ends has answered with its status', async () => {
  receiver.answer = (_, response) => {
    response.writeHead(500);
    const chunk = Buffer.alloc(16_384, 'x');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  };
  const printed = await whileListening(async () => {
    await world.happen([{}]);
    await world.deliver();
  });
  expect(printed[1]).toMatch(/→ 500 The answer is longer than 65536 bytes\.; it is tried again/);
});

test('what a killed one left behind goes with the next, and nothing else', async () => {
  const { ctx, projectId } = world.api;
  await createEndpoint(ctx, {
    projectId,
    url: 'http://127.0.0.1:9/',
    description: 'purser listen',
  });
  const { endpoint } = await createEndpoint(ctx, { projectId, url: 'http://127.0.0.1:9/' });
  await whileListening(async () => undefined);
  expect((await endpoints()).map(({ id }) => id)).toEqual([endpoint.id]);
});

test('two at once hear everything, each', async () => {
  receiver.answer = answerWith(204);
  const second: string[] = [];
  const first = await whileListening(async () => {
    second.push(
      ...(await whileListening(async () => {
        await world.happen([{}]);
        await world.deliver();
        expect(
          (await endpoints()).filter((one) => one.description === 'purser listen'),
        ).toHaveLength(2);
      })),
    );
  });
  expect(first[1]).toContain('→ 204');
  expect(second[1]).toContain('→ 204');
});

test('outside of development, or without an address, it says what to do', async () => {
  const { ctx, projectId } = world.api;
  const input = {
    projectId,
    to: receiver.url,
    print: () => undefined,
    signal: AbortSignal.abort(),
  };
  const staging = { ...ctx, config: { ...ctx.config, environment: 'staging' as const } };
  await expect(listen(staging, input)).rejects.toThrow('purser webhooks create');
  await expect(listen(ctx, { ...input, to: 'localhost' })).rejects.toThrow(
    'http://localhost:4000/hooks',
  );
  await expect(listen(ctx, { ...input, to: 'http://hooks.example/' })).rejects.toThrow(
    'in clear to another machine',
  );
  await expect(listen(ctx, { ...input, events: ['nosuch'] })).rejects.toThrow(
    /^--events: "nosuch" is no type of event; there are orders\.quote\.created, /,
  );
});

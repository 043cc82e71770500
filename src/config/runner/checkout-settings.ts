import type { Setting } from '../settings.ts';

/** Settings of agent checkouts: what they pay with, and their browsers. Part of `settings`. */
export const checkoutSettings = [
  {
    name: 'CARD_SOURCE',
    whenAbsent: '`user` in production, else `sandbox`',
    description:
      'What agent checkouts pay with: a card that the user enters for each (`user`), a virtual card per purchase of `stripe-issuing` or of the `sandbox` issuer (not in production), or no card (`off`). See [cards.md](cards.md).',
  },
  {
    name: 'STRIPE_ISSUING_SECRET_KEY',
    secret: ['worker'],
    whenAbsent: 'required with `CARD_SOURCE=stripe-issuing`',
    description:
      'Secret or restricted key of the account that issues cards: a live one in production, a test one elsewhere.',
  },
  {
    name: 'STRIPE_ISSUING_CARDHOLDER',
    whenAbsent: 'required with `CARD_SOURCE=stripe-issuing`',
    description: 'Whose cards they are at Stripe: `ich_…`.',
  },
  {
    name: 'STRIPE_ISSUING_URL',
    fallback: 'https://api.stripe.com',
    description: 'Address of Stripe’s API.',
  },
  {
    name: 'CHECKOUTS_OPEN_PER_USER',
    integer: { fallback: 20, min: 1, max: 100_000 },
    description:
      'Agent checkouts of one user that are not over, at once; one more is refused with 429.',
  },
  {
    name: 'CHECKOUTS_OPEN_PER_PROJECT',
    integer: { fallback: 1_000, min: 1, max: 1_000_000 },
    description: 'The same for all users of a project together.',
  },
  {
    name: 'CHECKOUT_PAGE_URL',
    whenAbsent: 'a page of the sandbox in development, else none',
    description:
      'Page of your app on which its user sees an agent checkout and answers what it asks, with `{checkoutId}` in it: `https://app.example/checkouts/{checkoutId}`. Agents hand this link on. See [mcp.md](mcp.md).',
  },
  {
    name: 'RUNNER_PUBLIC_KEY',
    whenAbsent: 'there is no gateway for runners, agent checkouts wait',
    description:
      'Ed25519 public key of the runners’ `RUNNER_SEED`. For the worker, and for the vault where users may pay with saved cards. See [runner.md](runner.md).',
  },
  {
    name: 'RUNNER_DOOR_SEED',
    secret: ['worker'],
    whenAbsent: 'required by worker with `RUNNER_PUBLIC_KEY`',
    description:
      'Ed25519 seed that signs the worker’s answers to runners. `purser vault identity` makes one.',
  },
  {
    name: 'RUNNER_DOOR_HOST',
    fallback: '0.0.0.0',
    description: 'Address the worker’s gateway for runners listens on.',
  },
  {
    name: 'RUNNER_DOOR_PORT',
    integer: { fallback: 3_002, min: 1, max: 65_535 },
    description: 'Its port. Inside your network only.',
  },
  {
    name: 'RUNNER_DOOR_ORIGIN',
    whenAbsent: 'required by runner',
    description: 'Where runners reach the worker’s gateway, without a path: `http://worker:3002`.',
  },
  {
    name: 'RUNNER_DOOR_PUBLIC_KEY',
    whenAbsent: 'required by runner',
    description: 'Ed25519 public key of `RUNNER_DOOR_SEED`.',
  },
  {
    name: 'RUNNER_SEED',
    secret: ['runner'],
    whenAbsent: 'required by runner',
    description:
      'Ed25519 seed with which runners sign what they ask the worker. Beside `RUNNER_PLANNER_KEY`, `RUNNER_COMMERCE_TOKENIZERS` and `RUNNER_COMMERCE_ACP_SHOPS` the only secret that a runner takes.',
  },
  {
    name: 'RUNNER_LIVE_SEED',
    secret: ['api'],
    whenAbsent: 'there are no live pages',
    description:
      'Ed25519 seed with which the api signs when it asks runners for live pictures. For the api only.',
  },
  {
    name: 'RUNNER_LIVE_PUBLIC_KEY',
    whenAbsent: 'required by runner with `RUNNER_LIVE_ORIGIN`',
    description: 'Ed25519 public key of `RUNNER_LIVE_SEED`. For the runner.',
  },
  {
    name: 'RUNNER_LIVE_ORIGIN',
    whenAbsent: 'this runner shows no live pictures',
    description:
      'Where the api reaches this very runner process, without a path: `http://runner-1:3003`. `{hostname}` in it is the host name of the runner.',
  },
  {
    name: 'RUNNER_LIVE_HOST',
    fallback: '0.0.0.0',
    description: 'Address that live pictures are served on, to the api only.',
  },
  {
    name: 'RUNNER_LIVE_PORT',
    integer: { fallback: 3_003, min: 0, max: 65_535 },
    description:
      'Port that live pictures are served on; `0` for any, where api and runner are on one machine.',
  },
  {
    name: 'CHROMIUM_PATH',
    whenAbsent: 'the one of the npm package, else an installed Chrome or Chromium',
    description: 'The browser of agent checkouts. See [runner.md](runner.md).',
  },
  {
    name: 'CHECKOUT_PICTURE_DAYS',
    integer: { fallback: 30, min: 1, max: 3_650 },
    description:
      'Days for which the pictures in the step log of an agent checkout are kept, and its replay can be seen.',
  },
  {
    name: 'RUNNER_RUNS_MAX',
    integer: { fallback: 4, min: 1, max: 1_000 },
    description: 'Agent checkouts that one runner drives at once, a browser each.',
  },
  {
    name: 'RUNNER_MEMORY_MAX_MIB',
    integer: { fallback: 1_024, min: 256, max: 65_536 },
    description: 'Memory of one browser with all its processes; above it the run ends.',
  },
  {
    name: 'RUNNER_ALLOWED_PRIVATE_ORIGINS',
    whenAbsent: 'none',
    description:
      'Origins of our own network that browsers may reach, with commas between: `http://127.0.0.1:4001`. Not in production.',
  },
  {
    name: 'RUNNER_BLOCKED_ORIGINS',
    whenAbsent: 'none',
    description:
      'Merchants that opted out, with commas between: `https://shop.example`, or `*.shop.example` with everything below it.',
  },
  {
    name: 'RUNNER_PAYMENT_FRAMES',
    whenAbsent: 'none',
    description:
      'Origins of frames that a card may be typed into, beside the checkout’s own: `https://js.stripe.com`.',
  },
  {
    name: 'RUNNER_PLANNER',
    whenAbsent: '`off`',
    description:
      'Whose API the language model has that a runner asks where it does not understand a shop: `openai-compatible`, `anthropic`, or `off`. See [runner.md](runner.md).',
  },
  {
    name: 'RUNNER_PLANNER_URL',
    whenAbsent:
      'required with `RUNNER_PLANNER=openai-compatible`; `https://api.anthropic.com/v1` with `anthropic`',
    description:
      'Where that API is, with its path: `http://ollama:11434/v1`. The runner itself asks it, so that it may be inside your network.',
  },
  {
    name: 'RUNNER_PLANNER_MODEL',
    whenAbsent: 'required with `RUNNER_PLANNER`',
    description: 'The model’s name, as its endpoint knows it.',
  },
  {
    name: 'RUNNER_PLANNER_KEY',
    secret: ['runner'],
    whenAbsent: 'the endpoint is asked without one',
    description: 'Key of that API. For the runner only; required by `api.anthropic.com`.',
  },
  {
    name: 'RUNNER_COMMERCE_PROFILE_URL',
    whenAbsent: 'purchases go through shops’ pages alone',
    description:
      'Address of our own UCP profile, which the api serves at `{base_url}/.well-known/ucp`: with it a runner buys through the interface for agents of shops that have one. See [agent-checkouts.md](agent-checkouts.md).',
  },
  {
    name: 'RUNNER_COMMERCE_TOKENIZERS',
    secret: ['runner'],
    whenAbsent:
      'no card is paid with through those interfaces: such purchases go on in the shops’ pages',
    description:
      'Who makes tokens of cards, as a JSON list: `[{"handler":"com.example.processor_tokenizer","url":"https://psp.example/tokenize","key":"…"}]`. `handler` is the payment handler that shops name; cards are sent to `url`, and never to an address that a shop names. `"kind":"delegate"` asks as ACP’s Delegate Payment API writes it.',
  },
  {
    name: 'RUNNER_COMMERCE_ACP_SHOPS',
    secret: ['runner'],
    whenAbsent: 'shops that speak the Agentic Commerce Protocol are bought in by their pages',
    description:
      'Keys that shops have given for the Agentic Commerce Protocol, as a JSON list: `[{"shop":"https://shop.example","key":"…"}]`, with `endpoint` where its interface is not at the shop’s own origin. A key goes there and nowhere else.',
  },
  {
    name: 'RUNNER_PLANNER_CALLS_MAX',
    integer: { fallback: 8, min: 1, max: 50 },
    description: 'How often one agent checkout may ask the model; at most 50.',
  },
  {
    name: 'RUNNER_PLANNER_TIMEOUT_SECONDS',
    integer: { fallback: 30, min: 1, max: 120 },
    description: 'How long one answer of the model is waited for; at most 120.',
  },
] as const satisfies readonly Setting[];

import { addresses } from './addresses.ts';
import { bindings } from './bindings.ts';
import { components } from './components.ts';
import { deliveries } from './deliveries.ts';
import { hosted } from './hosted.ts';
import type { Layout } from './kit.ts';
import { ageGate, ageGateRefused, modals } from './modals.ts';
import { oldFrench, oldGerman, oldJapanese, oldSpanish } from './old-tables.ts';
import { listingPage, notFound, otherCurrency, removed, tooDear } from './pages.ts';
import { plugin } from './plugin.ts';
import { engraved, minimumQuantity, soldOut, steppers } from './steppers.ts';
import { threeSteps } from './three-steps.ts';
import { tiles } from './tiles.ts';
import { upsells } from './upsells.ts';

/** Those that together stay within the time of an ordinary test run. */
export const shortLayouts: readonly Layout[] = [
  hosted,
  components,
  oldGerman,
  upsells,
  addresses,
  listingPage,
];

/** The others of the same kinds. */
export const longLayouts: readonly Layout[] = [
  plugin,
  tooDear,
  tiles,
  otherCurrency,
  notFound,
  minimumQuantity,
  soldOut,
  ageGateRefused,
  modals,
  bindings,
  steppers,
  deliveries,
  threeSteps,
  oldFrench,
  oldSpanish,
  oldJapanese,
  ageGate,
  engraved,
  removed,
];

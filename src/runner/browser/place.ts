/** Where the buyer is, as a page can tell. */
export interface BuyerPlace {
  readonly locale: string;
  readonly timezoneId: string;
}

/** Of countries with several zones, the one in which most people live. */
const busiestZones: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  DE: 'Europe/Berlin',
  ES: 'Europe/Madrid',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
};

/**
 * Language and time zone of a country (ISO 3166-1 alpha-2); American English and UTC for one that
 * is not known.
 */
export function placeOf(countryCode: string | undefined): BuyerPlace {
  const country = /^[A-Za-z]{2}$/.test(countryCode ?? '') ? countryCode!.toUpperCase() : undefined;
  if (country === undefined) return { locale: 'en-US', timezoneId: 'UTC' };
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    timeZones?: string[];
    getTimeZones?: () => string[];
  };
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  const { language } = locale.maximize();
  return {
    locale: language === 'und' ? 'en-US' : `${language}-${country}`,
    timezoneId: busiestZones[country] ?? zones[0] ?? 'UTC',
  };
}

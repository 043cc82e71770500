import { plain } from '../words/words.ts';

/** Names of countries and regions as shops list them. */

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'];
const alpha3: Readonly<Record<string, string>> = {
  US: 'USA',
  GB: 'GBR',
  DE: 'DEU',
  FR: 'FRA',
  ES: 'ESP',
  AT: 'AUT',
  CH: 'CHE',
  IT: 'ITA',
  NL: 'NLD',
  BE: 'BEL',
  CA: 'CAN',
  AU: 'AUS',
  JP: 'JPN',
  MX: 'MEX',
  IE: 'IRL',
  PT: 'PRT',
  PL: 'POL',
  SE: 'SWE',
  NO: 'NOR',
  DK: 'DNK',
};
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  US: [
    'United States of America',
    'USA',
    'U.S.A.',
    'Vereinigte Staaten von Amerika',
    "États-Unis d'Amérique",
  ],
  GB: [
    'Great Britain',
    'UK',
    'England',
    'Großbritannien',
    'Grande-Bretagne',
    'Gran Bretaña',
    'United Kingdom (UK)',
  ],
  NL: ['Holland', 'The Netherlands'],
  CZ: ['Czech Republic'],
  KR: ['Korea', 'Republic of Korea'],
};

/** Code and names of a country in four languages, e.g. `DE`, `Germany`, `Deutschland`. */
export function countryNames(code: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(code)) return code === '' ? [] : [code];
  const names = languages.flatMap(
    (language) =>
      new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code) ?? [],
  );
  return [
    ...new Set([
      code,
      ...names,
      ...(alpha3[code] === undefined ? [] : [alpha3[code]]),
      ...(alsoCalled[code] ?? []),
    ]),
  ];
}

const regions: Readonly<Record<string, string>> = {
  US: 'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,PR Puerto Rico',
  CA: 'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  AU: 'ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,TAS Tasmania,VIC Victoria,WA Western Australia',
  DE: 'BW Baden-Württemberg,BY Bayern,BE Berlin,BB Brandenburg,HB Bremen,HH Hamburg,HE Hessen,MV Mecklenburg-Vorpommern,NI Niedersachsen,NW Nordrhein-Westfalen,RP Rheinland-Pfalz,SL Saarland,SN Sachsen,ST Sachsen-Anhalt,SH Schleswig-Holstein,TH Thüringen,BY Bavaria,HE Hesse,NI Lower Saxony,NW North Rhine-Westphalia,SN Saxony,TH Thuringia',
  AT: '1 Burgenland,2 Kärnten,3 Niederösterreich,4 Oberösterreich,5 Salzburg,6 Steiermark,7 Tirol,8 Vorarlberg,9 Wien,9 Vienna',
  CH: 'ZH Zürich,BE Bern,LU Luzern,GE Genève,VD Vaud,BS Basel-Stadt,BL Basel-Landschaft,AG Aargau,SG St. Gallen,TI Ticino,VS Valais,FR Fribourg,SO Solothurn,TG Thurgau,GR Graubünden,ZG Zug,NE Neuchâtel,SZ Schwyz,SH Schaffhausen,JU Jura',
  ES: 'M Madrid,B Barcelona,V Valencia,SE Sevilla,Z Zaragoza,MA Málaga,MU Murcia,BI Bizkaia,A Alicante,CO Córdoba,VA Valladolid,PO Pontevedra,O Asturias,C A Coruña,GR Granada,SS Gipuzkoa,T Tarragona,GI Girona,L Lleida,CA Cádiz,AL Almería,J Jaén,H Huelva,TO Toledo,BA Badajoz,CC Cáceres,NA Navarra,LO La Rioja,S Cantabria,PM Illes Balears,GC Las Palmas,TF Santa Cruz de Tenerife,LE León,SA Salamanca,BU Burgos',
  JP: '01 北海道,02 青森県,03 岩手県,04 宮城県,05 秋田県,06 山形県,07 福島県,08 茨城県,09 栃木県,10 群馬県,11 埼玉県,12 千葉県,13 東京都,14 神奈川県,15 新潟県,16 富山県,17 石川県,18 福井県,19 山梨県,20 長野県,21 岐阜県,22 静岡県,23 愛知県,24 三重県,25 滋賀県,26 京都府,27 大阪府,28 兵庫県,29 奈良県,30 和歌山県,31 鳥取県,32 島根県,33 岡山県,34 広島県,35 山口県,36 徳島県,37 香川県,38 愛媛県,39 高知県,40 福岡県,41 佐賀県,42 長崎県,43 熊本県,44 大分県,45 宮崎県,46 鹿児島県,47 沖縄県,01 Hokkaido,13 Tokyo,14 Kanagawa,23 Aichi,26 Kyoto,27 Osaka,28 Hyogo,40 Fukuoka,47 Okinawa',
  BR: 'AC Acre,AL Alagoas,AP Amapá,AM Amazonas,BA Bahia,CE Ceará,DF Distrito Federal,ES Espírito Santo,GO Goiás,MA Maranhão,MT Mato Grosso,MS Mato Grosso do Sul,MG Minas Gerais,PA Pará,PB Paraíba,PR Paraná,PE Pernambuco,PI Piauí,RJ Rio de Janeiro,RN Rio Grande do Norte,RS Rio Grande do Sul,RO Rondônia,RR Roraima,SC Santa Catarina,SP São Paulo,SE Sergipe,TO Tocantins',
  IT: 'MI Milano,RM Roma,TO Torino,NA Napoli,FI Firenze,BO Bologna,GE Genova,VE Venezia,VR Verona,PA Palermo,CT Catania,BA Bari,PD Padova,BS Brescia,BG Bergamo',
  IN: 'AP Andhra Pradesh,AS Assam,BR Bihar,CG Chhattisgarh,CT Chhattisgarh,DL Delhi,GA Goa,GJ Gujarat,HR Haryana,HP Himachal Pradesh,JH Jharkhand,KA Karnataka,KL Kerala,MP Madhya Pradesh,MH Maharashtra,OD Odisha,OR Odisha,PB Punjab,RJ Rajasthan,TN Tamil Nadu,TG Telangana,TS Telangana,UP Uttar Pradesh,UK Uttarakhand,WB West Bengal',
  MX: 'CMX Ciudad de México,JAL Jalisco,NLE Nuevo León,PUE Puebla,MEX México,VER Veracruz,YUC Yucatán,ROO Quintana Roo,GUA Guanajuato,BCN Baja California',
};

/** Code and names of a region (ISO 3166-2), e.g. `US-CA`: `CA`, `California`, `US-CA`. */
export function regionNames(code: string): readonly string[] {
  const dash = code.indexOf('-');
  const [country, region] = dash < 0 ? ['', code] : [code.slice(0, dash), code.slice(dash + 1)];
  const names = (regions[country] ?? '')
    .split(',')
    .flatMap((entry) => (entry.startsWith(`${region} `) ? [entry.slice(region.length + 1)] : []));
  // A bare number may be anything's number in a shop's own list: names first.
  return [
    ...new Set([
      ...(/^\d+$/.test(region) ? [...names, region] : [region, ...names]),
      ...(dash < 0 ? [] : [code]),
    ]),
  ];
}

const withRegions = new Set('AE AR AU BR CA CN ES ID IN IT JP KR MX MY US'.split(' '));

/**
 * Whether an address of the country is written with a region: a shop wants it there even where it
 * does not say so.
 */
export function needsRegion(country: string): boolean {
  return withRegions.has(country);
}

/**
 * The code (ISO 3166-2) of a region that somebody writes as code or name, e.g. `US-CA` of
 * `California`; unknown ones stay as they are.
 */
export function regionCodeOf(country: string, written: string): string {
  const text = written.trim();
  if (/^[A-Z]{2}-\w+$/i.test(text)) return text.toUpperCase();
  const entry = (regions[country] ?? '')
    .split(',')
    .find(
      (one) =>
        one.split(' ')[0] === text.toUpperCase() ||
        plain(one.slice(one.indexOf(' ') + 1)) === plain(text),
    );
  return entry === undefined ? text : `${country}-${entry.split(' ')[0]}`;
}

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text is the code or the name of a country in one of the languages of
 * {@link countryNames}.
 */
export function isCountry(text: string): boolean {
  known ??= new Set(allCodes().flatMap((code) => countryNames(code).map(plain)));
  return known.has(plain(text));
}

function allCodes(): readonly string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((one) => letters.map((other) => `${one}${other}`))
    .filter((code) => english.of(code) !== undefined);
}

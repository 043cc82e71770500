/** Names of countries and regions as shops list them. */

const languages = ['en', 'de', 'fr', 'es'];
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
  US: ['United States of America', 'USA', 'U.S.A.', 'Vereinigte Staaten von Amerika', "États-Unis d'Amérique"],
  GB: ['Great Britain', 'UK', 'England', 'Großbritannien', 'Grande-Bretagne', 'Gran Bretaña', 'United Kingdom (UK)'],
  NL: ['Holland', 'The Netherlands'],
  CZ: ['Czech Republic'],
  KR: ['Korea', 'Republic of Korea'],
};

/** Code and names of a country in four languages, e.g. `DE`, `Germany`, `Deutschland`. */
export function countryNames(code: string): readonly string[] {
  const names = languages.flatMap((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code) ?? []);
  return [...new Set([code, ...names, ...(alpha3[code] === undefined ? [] : [alpha3[code]]), ...(alsoCalled[code] ?? [])])];
}

const regions: Readonly<Record<string, string>> = {
  US: 'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,PR Puerto Rico',
  CA: 'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  AU: 'ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,TAS Tasmania,VIC Victoria,WA Western Australia',
  DE: 'BW Baden-Württemberg,BY Bayern,BE Berlin,BB Brandenburg,HB Bremen,HH Hamburg,HE Hessen,MV Mecklenburg-Vorpommern,NI Niedersachsen,NW Nordrhein-Westfalen,RP Rheinland-Pfalz,SL Saarland,SN Sachsen,ST Sachsen-Anhalt,SH Schleswig-Holstein,TH Thüringen,BY Bavaria,HE Hesse,NI Lower Saxony,NW North Rhine-Westphalia,SN Saxony,TH Thuringia',
  AT: '1 Burgenland,2 Kärnten,3 Niederösterreich,4 Oberösterreich,5 Salzburg,6 Steiermark,7 Tirol,8 Vorarlberg,9 Wien,9 Vienna',
  CH: 'ZH Zürich,BE Bern,LU Luzern,GE Genève,VD Vaud,BS Basel-Stadt,BL Basel-Landschaft,AG Aargau,SG St. Gallen,TI Ticino,VS Valais,FR Fribourg,SO Solothurn,TG Thurgau,GR Graubünden,ZG Zug,NE Neuchâtel,SZ Schwyz,SH Schaffhausen,JU Jura',
  ES: 'M Madrid,B Barcelona,V Valencia,SE Sevilla,Z Zaragoza,MA Málaga,MU Murcia,BI Bizkaia,A Alicante,CO Córdoba,VA Valladolid,PO Pontevedra,O Asturias,C A Coruña,GR Granada,SS Gipuzkoa,T Tarragona,GI Girona,L Lleida,CA Cádiz,AL Almería,J Jaén,H Huelva,TO Toledo,BA Badajoz,CC Cáceres,NA Navarra,LO La Rioja,S Cantabria,PM Illes Balears,GC Las Palmas,TF Santa Cruz de Tenerife,LE León,SA Salamanca,BU Burgos',
  MX: 'CMX Ciudad de México,JAL Jalisco,NLE Nuevo León,PUE Puebla,MEX México,VER Veracruz,YUC Yucatán,ROO Quintana Roo,GUA Guanajuato,BCN Baja California',
};

/** Code and names of a region (ISO 3166-2), e.g. `US-CA`: `CA`, `California`, `US-CA`. */
export function regionNames(code: string): readonly string[] {
  const dash = code.indexOf('-');
  const [country, region] = dash < 0 ? ['', code] : [code.slice(0, dash), code.slice(dash + 1)];
  const names = (regions[country] ?? '')
    .split(',')
    .flatMap((entry) => (entry.startsWith(`${region} `) ? [entry.slice(region.length + 1)] : []));
  return [...new Set([region, ...names, ...(dash < 0 ? [] : [code])])];
}

/**
 * Countries whose postal addresses need a region (state, province, prefecture): those with `S` in
 * `require` in the address data of libaddressinput, https://github.com/google/libaddressinput,
 * cpp/src/region_data_constants.cc, as of June 2025 (data under CC-BY).
 */
const needing = new Set(
  'AE AS AU BR CA CN CO CR ES FM HK HN ID IN IQ IT JM JP KN KR KY MH MP MX NR PF PG PW RU SO SV TW UM US VE VI VN'.split(
    ' ',
  ),
);

/**
 * Whether an address there is not complete without its region.
 * @param countryCode ISO 3166-1 alpha-2, in letters of either case
 */
export function addressNeedsRegion(countryCode: string): boolean {
  return needing.has(countryCode.trim().toUpperCase());
}

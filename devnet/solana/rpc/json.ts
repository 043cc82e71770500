/** JSON in which a bigint is a number of any length, as nodes write u64 values. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).flatMap(([name, item]) =>
    item === undefined ? [] : [`${JSON.stringify(name)}:${toJson(item)}`],
  );
  return `{${fields.join(',')}}`;
}

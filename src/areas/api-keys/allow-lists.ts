const originPattern =
  /^[a-z][a-z0-9+.-]*:\/\/(\*\.)?[a-z0-9._-]+(:\d{1,5})?$|^\*$|^[a-z][a-z0-9+.-]*:\/\/\[[0-9a-f:]+\](:\d{1,5})?$/;

/** True for what an allow list of origins may hold. */
export function isOriginPattern(text: string): boolean {
  return originPattern.test(text);
}

/** True when the list holds the origin itself, a pattern `https://*.example.com` of it, or `*`. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  const wanted = origin.toLowerCase();
  return allowed.some(
    (entry) => entry === '*' || entry === wanted || matchesSubdomain(entry, wanted),
  );
}

/** True when the list holds the value itself or `*`. */
export function allowsValue(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value);
}

function matchesSubdomain(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('*.');
  if (star < 0) return false;
  const scheme = pattern.slice(0, star);
  const suffix = pattern.slice(star + 1);
  if (!origin.startsWith(scheme) || !origin.endsWith(suffix)) return false;
  return /^[a-z0-9._-]+$/.test(origin.slice(scheme.length, -suffix.length));
}

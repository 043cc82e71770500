/**
 * Where a piece of source stands, however the formatter breaks its lines: white-space and the
 * comma after a last item do not count.
 * @returns places in `text`: [first character, one after the last]
 */
export function findPlaces(text: string, wanted: string): readonly (readonly [number, number])[] {
  const kept = listKept(text);
  const squeezed = kept.map((index) => text[index]).join('');
  const sought = listKept(wanted)
    .map((index) => wanted[index])
    .join('');
  const places: [number, number][] = [];
  for (let at = squeezed.indexOf(sought); at >= 0; at = squeezed.indexOf(sought, at + 1))
    places.push([kept[at]!, kept[at + sought.length - 1]! + 1]);
  return places;
}

function listKept(text: string): number[] {
  return [...text.matchAll(/(?!,\s*[)\]}])\S/g)].map(({ index }) => index);
}

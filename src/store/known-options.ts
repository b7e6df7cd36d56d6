/**
 * Refuses options that would be overlooked, as a compiler does; `known` has the names of those that there are. For the
 * rooms that know nothing of graphs, and have no error of theirs.
 */
export function checkKnown(of: string, given: object, known: string): void {
  if (Object(given) !== given || Array.isArray(given)) throw new TypeError(`${of}: give options by name, of ${known}`)
  const names = known.split(', ')
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`${of}: there is no option '${unknown}', only ${known}`)
}

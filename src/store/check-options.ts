/**
 * Refuses options that would be overlooked, as a compiler does; `known` has the names of those that there are. For the
 * rooms that know nothing of graphs, and have no error of theirs.
 */
export function assertKnownOptions(subject: string, options: object, knownNames: string): void {
  if (Object(options) !== options || Array.isArray(options))
    throw new TypeError(`${subject}: give options by name, of ${knownNames}`)
  const names = knownNames.split(', ')
  const unknownName = Object.keys(options).find(name => !names.includes(name))
  if (unknownName !== undefined)
    throw new TypeError(`${subject}: there is no option '${unknownName}', only ${knownNames}`)
}

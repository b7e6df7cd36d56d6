/**
 * Rejects unknown options with a TypeError, as a compiler does. `knownNames` lists the known options, separated by
 * commas. For modules that do not depend on the graph and its errors.
 */
export function assertKnownOptions(subject: string, options: object, knownNames: string): void {
  if (Object(options) !== options || Array.isArray(options))
    throw new TypeError(`${subject}: the options are not an object; give ${knownNames} by name.`)
  const names = knownNames.split(', ')
  const unknownName = Object.keys(options).find(name => !names.includes(name))
  if (unknownName !== undefined)
    throw new TypeError(`${subject}: there is no option '${unknownName}'; use only ${knownNames}.`)
}

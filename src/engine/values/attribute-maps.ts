import type { AttributeValue } from '../../dynamodb/attribute-value.js'

type AttributeMap = Record<string, AttributeValue>

/** Sets a member of a map. A plain assignment to `__proto__` would set the prototype. */
export function setMember(map: AttributeMap, name: string, value: AttributeValue): void {
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true })
  else map[name] = value
}

/**
 * Returns a copy with some members replaced, added or (undefined) removed. Members are copied one by one: V8 stores a
 * frozen object that was created by a spread or had a member deleted as a hash table, which needs three times the
 * memory.
 */
export function copyMapWith(map: AttributeMap, changes: ReadonlyMap<string, AttributeValue | undefined>): AttributeMap {
  const copy: AttributeMap = {}
  for (const name in map) {
    const value = changes.has(name) ? changes.get(name) : map[name]!
    if (value !== undefined) setMember(copy, name, value)
  }
  for (const [name, value] of changes)
    if (value !== undefined && !Object.hasOwn(map, name)) setMember(copy, name, value)
  return copy
}

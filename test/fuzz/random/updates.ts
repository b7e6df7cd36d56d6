import { perhapsBroken } from './broken-expressions.js'
import type { Placeholders } from './placeholders.js'
import { definedParts, keyParts, PLAIN, type TableShape } from './tables.js'
import { keyValue, numberText, set, value } from './values.js'

/** Creates an UpdateExpression whose clauses mostly write different attributes. */
export function update(to: Placeholders, table: TableShape): string {
  const { chance } = to
  const own = new Set(keyParts(table).map(({ name }) => name))
  const indexed = definedParts(table).filter(({ name }) => !own.has(name) || chance.happens(0.02))
  const free = chance.shuffled([...PLAIN, ...PLAIN.slice(0, 2), ...indexed.map(({ name }) => name)])
  const names = [...PLAIN, ...definedParts(table).map(({ name }) => name)]
  const take = () => (chance.happens(0.97) && free.pop()) || chance.pick(names)
  const typed = new Map(indexed.map(({ name, type }) => [name, type]))
  const list = (make: () => string) => chance.several(1, 2, make).join(', ')

  const set = () => {
    const name = take()
    const type = typed.get(name)
    if (type && chance.happens(0.9)) return `${to.name(name)} = ${to.value(keyValue(chance, type, 4))}`
    return `${to.path(name, 0.3)} = ${setValue(to, names)}`
  }
  const clauses = [
    ...(chance.happens(0.75) ? [`SET ${list(set)}`] : []),
    ...(chance.happens(0.3) ? [`REMOVE ${list(() => to.path(take(), 0.3))}`] : []),
    ...(chance.happens(0.25) ? [`ADD ${list(() => `${to.path(take(), 0.15)} ${addend(to)}`)}`] : []),
    ...(chance.happens(0.2) ? [`DELETE ${list(() => `${to.path(take(), 0.15)} ${subset(to)}`)}`] : []),
  ]
  const given = clauses.length > 0 ? chance.shuffled(clauses).join(' ') : `REMOVE ${to.name(take())}`
  return perhapsBroken(chance, given)
}

const addend = (to: Placeholders) => to.value(to.chance.happens(0.5) ? { N: numberText(to.chance) } : set(to.chance))
const subset = (to: Placeholders) => to.value(to.chance.happens(0.95) ? set(to.chance) : value(to.chance))

function setValue(to: Placeholders, names: readonly string[]): string {
  const { chance } = to
  const path = () => to.path(chance.pick(names))
  const number = () => to.value({ N: numberText(chance) })
  const list = () => to.value({ L: chance.several(0, 2, () => value(chance, 2)) })
  const term = () => chance.way([3, path], [3, number], [1, () => `if_not_exists(${path()}, ${number()})`])
  return chance.way(
    [6, () => to.value(value(chance))],
    [1, path],
    [2, () => `if_not_exists(${path()}, ${chance.happens(0.8) ? to.value(value(chance)) : path()})`],
    [1, () => `list_append(${path()}, ${list()})`],
    [1, () => `list_append(${list()}, if_not_exists(${path()}, ${list()}))`],
    [2, () => `${term()} ${chance.pick(['+', '-'])} ${term()}`],
  )
}

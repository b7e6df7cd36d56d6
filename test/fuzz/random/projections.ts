import { perhapsBroken } from './broken-expressions.js'
import type { Placeholders } from './placeholders.js'

export function projection(to: Placeholders, names: readonly string[]): string {
  const { chance } = to
  const free = chance.shuffled(names)
  const take = () => (chance.happens(0.97) && free.pop()) || chance.pick(names)
  return perhapsBroken(chance, chance.several(1, 3, () => to.path(take())).join(', '))
}

import type { Chance } from './seeded-random.js'

const WORDS = [
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'SET',
  'REMOVE',
  'ADD',
  'DELETE',
  '(',
  ')',
  ',',
  '=',
  '<>',
  '<',
  '+',
  '-',
  '.',
  '[0]',
  '[',
  '#n0',
  '#missing',
  ':v0',
  ':missing',
  'a',
  'b.x',
  'size',
  'size(a)',
  'contains',
  'attribute_exists(a)',
  'list_append',
  'status',
  '1',
  '!',
  '$',
  '"a"',
]

/** Breaks a part of an expression. The result may still be valid. */
function broken(chance: Chance, expression: string): string {
  const tokens = expression.match(/[#:]?\w+|<>|<=|>=|\s+|./gu) ?? []
  const at = chance.below(tokens.length + 1)
  const [here = '', next = ''] = tokens.slice(at, at + 2)
  const put = (count: number, ...words: string[]) => tokens.toSpliced(at, count, ...words).join('')
  return chance.way(
    [2, () => put(1)],
    [2, () => put(0, ` ${chance.pick(WORDS)} `)],
    [2, () => put(1, chance.pick(WORDS))],
    [1, () => put(1, here, here)],
    [1, () => put(2, next, here)],
    [1, () => tokens.slice(0, at).join('')],
    [0.3, () => ''],
    [0.3, () => `(${expression})`],
  )
}

/** Returns the expression unchanged in most cases. */
export function perhapsBroken(chance: Chance, expression: string, probability = 0.03): string {
  return chance.happens(probability) ? broken(chance, expression) : expression
}

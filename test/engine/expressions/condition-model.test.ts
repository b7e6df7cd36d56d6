import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { readExpressions, toStored } from './read-expressions.js'

/** A value of the model: a number, a string, a boolean, a list or a map. A missing attribute is undefined. */
type Plain = number | string | boolean | Plain[] | { [name: string]: Plain }
type Document = Record<string, Plain>

type Operand = { path: string[] } | { value: Plain } | { size: string[] }
type Tree =
  | { compare: '=' | '<>' | '<' | '<=' | '>' | '>='; left: Operand; right: Operand }
  | { between: Operand; low: Operand; high: Operand }
  | { in: Operand; choices: Operand[] }
  | { exists: string[]; negated: boolean }
  | { begins: Operand; prefix: Operand }
  | { contains: Operand; part: Operand }
  | { and: Tree[] }
  | { or: Tree[] }
  | { not: Tree }

const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'a', 'ab', 'b'), fc.boolean())
const plain: fc.Arbitrary<Plain> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar, { noNullPrototype: true }),
)
const document: fc.Arbitrary<Document> = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), plain, {
  noNullPrototype: true,
})
const path: fc.Arbitrary<string[]> = fc.oneof(
  fc.constantFrom<string>('a', 'b', 'c', 'd').map(name => [name]),
  fc.constantFrom<string[]>(['a', 'x'], ['b', 'y'], ['c', '0'], ['d', '1']),
)
const operand: fc.Arbitrary<Operand> = fc.oneof(
  fc.record({ path }),
  fc.record({ value: plain }),
  fc.record({ size: path }),
)

const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ compare: fc.constantFrom('=', '<>', '<', '<=', '>', '>='), left: operand, right: operand }),
    fc.record({ between: operand, low: operand, high: operand }),
    fc.record({ in: operand, choices: fc.array(operand, { minLength: 1, maxLength: 3 }) }),
    fc.record({ exists: path, negated: fc.boolean() }),
    fc.record({ begins: operand, prefix: operand }),
    fc.record({ contains: operand, part: operand }),
    fc.record({ and: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}))

/** Prints a tree as an expression and collects its values. */
class Printer {
  readonly values: Item = {}
  private count = 0

  operand(operand: Operand): string {
    if ('path' in operand) return this.path(operand.path)
    if ('size' in operand) return `size(${this.path(operand.size)})`
    const name = `:v${this.count++}`
    this.values[name] = attributeValue(operand.value)
    return name
  }

  path([name, ...rest]: string[]): string {
    return name + rest.map(step => (/\d/.test(step) ? `[${step}]` : `.${step}`)).join('')
  }

  tree(tree: Tree): string {
    if ('compare' in tree) return `${this.operand(tree.left)} ${tree.compare} ${this.operand(tree.right)}`
    if ('between' in tree)
      return `${this.operand(tree.between)} BETWEEN ${this.operand(tree.low)} AND ${this.operand(tree.high)}`
    if ('in' in tree)
      return `${this.operand(tree.in)} IN (${tree.choices.map(choice => this.operand(choice)).join(', ')})`
    if ('exists' in tree) return `attribute_${tree.negated ? 'not_' : ''}exists(${this.path(tree.exists)})`
    if ('begins' in tree) return `begins_with(${this.operand(tree.begins)}, ${this.operand(tree.prefix)})`
    if ('contains' in tree) return `contains(${this.operand(tree.contains)}, ${this.operand(tree.part)})`
    if ('not' in tree) return `NOT ${this.inner(tree.not, 'not')}`
    if ('and' in tree) return tree.and.map(part => this.inner(part, 'and')).join(' AND ')
    return tree.or.map(part => this.tree(part)).join(' OR ')
  }

  /** Adds parentheses only where operator precedence requires them, so that precedence is tested too. */
  private inner(tree: Tree, around: 'and' | 'not'): string {
    const text = this.tree(tree)
    return 'or' in tree || (around === 'not' && 'and' in tree) ? `(${text})` : text
  }
}

function attributeValue(value: Plain): Item[string] {
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map(attributeValue) }
  return { M: Object.fromEntries(Object.entries(value).map(([name, part]) => [name, attributeValue(part)])) }
}

function operandValue(operand: Operand, document: Document): Plain | undefined {
  if ('value' in operand) return operand.value
  const found = at('path' in operand ? operand.path : operand.size, document)
  if ('path' in operand || found === undefined) return 'path' in operand ? found : undefined
  if (typeof found === 'number' || typeof found === 'boolean') return undefined
  return typeof found === 'string' || Array.isArray(found) ? found.length : Object.keys(found).length
}

function at(path: string[], document: Document): Plain | undefined {
  let found: Plain | undefined = document
  for (const step of path) {
    const isIndex = /\d/.test(step)
    if (typeof found !== 'object' || Array.isArray(found) !== isIndex) return undefined
    found = (found as Record<string, Plain>)[step]
  }
  return found
}

const same = (a: Plain | undefined, b: Plain | undefined) => a !== undefined && equal(a, b)

function equal(a: Plain, b: Plain | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every(name => same((a as Document)[name], (b as Document)[name]))
}

function ordered(a: Plain | undefined, b: Plain | undefined, accepts: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return accepts(a - b)
  if (typeof a === 'string' && typeof b === 'string') return accepts(a < b ? -1 : a > b ? 1 : 0)
  return false
}

const ORDERS = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
}

/** Evaluates a tree in JavaScript. */
function meaning(tree: Tree, document: Document): boolean {
  const get = (operand: Operand) => operandValue(operand, document)
  if ('compare' in tree) {
    if (tree.compare === '=') return same(get(tree.left), get(tree.right))
    if (tree.compare === '<>') return !same(get(tree.left), get(tree.right))
    return ordered(get(tree.left), get(tree.right), ORDERS[tree.compare])
  }
  if ('between' in tree) {
    const value = get(tree.between)
    return ordered(value, get(tree.low), ORDERS['>=']) && ordered(value, get(tree.high), ORDERS['<='])
  }
  if ('in' in tree) return tree.choices.some(choice => same(get(tree.in), get(choice)))
  if ('exists' in tree) return (at(tree.exists, document) !== undefined) !== tree.negated
  if ('not' in tree) return !meaning(tree.not, document)
  if ('and' in tree) return tree.and.every(part => meaning(part, document))
  if ('or' in tree) return tree.or.some(part => meaning(part, document))
  const [whole, part] = 'begins' in tree ? [get(tree.begins), get(tree.prefix)] : [get(tree.contains), get(tree.part)]
  if (typeof whole === 'string' && typeof part === 'string')
    return 'begins' in tree ? whole.startsWith(part) : whole.includes(part)
  return 'contains' in tree && Array.isArray(whole) && whole.some(element => same(element, part))
}

it('a condition evaluates like the tree that it was printed from', () => {
  let taken = 0
  const property = fc.property(tree, fc.array(document, { minLength: 1, maxLength: 4 }), (tree, documents) => {
    const printer = new Printer()
    const text = printer.tree(tree)
    const values = Object.keys(printer.values).length > 0 ? printer.values : undefined
    let condition: ReturnType<typeof readExpressions>['condition']
    try {
      condition = readExpressions({ ConditionExpression: text, ExpressionAttributeValues: values }).condition
    } catch (error) {
      // Mismatched types and equal operands are rejected before evaluation, which this test does not cover.
      expect((error as Error).message).toMatch(/operand|BETWEEN/)
      return
    }
    taken++
    for (const document of documents) {
      const item = toStored(
        Object.fromEntries(Object.entries(document).map(([name, part]) => [name, attributeValue(part)])),
      )
      expect({ text, holds: condition!.test(item) }).toEqual({ text, holds: meaning(tree, document) })
    }
  })
  fc.assert(property, { numRuns: 3000 })
  expect(taken).toBeGreaterThan(500)
})

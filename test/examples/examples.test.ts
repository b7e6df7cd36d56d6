import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Asked } from '../../examples/print.js'
import type { Item } from '../../src/dynamodb/attribute-value.js'
import { type Example, itemsOf } from '../../src/layout/items/items.js'
import type { Layout } from '../../src/layout/layout.js'
import { proveLayout } from '../../src/layout/proof/layout-proof.js'
import type { Store } from '../../src/store/port.js'
import { declarationOf, EXAMPLES, exampleNames } from './example-names.js'
import { EXPECTED } from './expected-requests.js'
import { writtenReadme } from './readme.js'

interface Module {
  readonly asked: readonly Asked[]
  readonly rows: Example
  readonly store: Store
  readonly g: { readonly $layout: Layout }
}

const names = exampleNames()

/** The cost of a traversal depends on degrees that are unknown before it runs. */
const isTraversal = (code: string) => code.includes('.from(')

it('each example has an expectation, a line in the README and an entry in the runner', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(names)
  const readme = readFileSync(new URL('README.md', EXAMPLES), 'utf8')
  const runner = readFileSync(new URL('run.ts', EXAMPLES), 'utf8')
  for (const name of names) {
    expect(readme).toContain(`| [${name}](${name}/README.md) |`)
    expect(runner).toContain(`import('./${name}/${name}.js')`)
  }
})

describe.each(names)('the example of %s', name => {
  let example: Module
  let printed: string

  beforeAll(async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    example = await import(`../../examples/${name}/${name}.ts`)
    printed = log.mock.calls.map(values => format(...values)).join('\n')
    log.mockRestore()
  })

  it('has keys that cannot collide', () => {
    expect(proveLayout(example.g.$layout)).toEqual([])
  })

  it('has loaded the items that it prints', async () => {
    const { store, rows, g } = example
    const { names: stored, design } = g.$layout
    const { Items = [] } = await store.scan({ TableName: design.name })
    const found = Items.map(({ [stored.etag]: _, ...item }) => item).filter(item => item[stored.type])
    const keyOf = (item: Item) => `${item[stored.partition]?.S}\0${item[stored.sort]?.S}`
    const sorted = (items: readonly Item[]) => items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    expect(sorted(found)).toEqual(sorted(itemsOf(g.$layout, rows).map(({ item }) => item)))
  })

  it.each(Object.entries(EXPECTED[name]!))('takes for this what it must, and no more: %s', (what, { sent, units }) => {
    const asked = example.asked.find(each => each.what === what)!
    expect(
      asked.sent.map(({ operation, input: { IndexName: index } }) => (index ? `${operation} on ${index}` : operation)),
    ).toEqual(sent)
    expect(asked.requests).toBe(sent.length)
    expect(asked.consumed.read).toEqual(units)
    expect(asked.consumed.write).toEqual({})
  })

  it('explains each call with the units that it consumes', () => {
    const exact = example.asked.filter(({ code }) => !isTraversal(code))
    const explained = exact.map(({ explained }) => explained.split('\n').at(-1))
    const consumed = exact.map(({ requests, consumed: { total, read } }) => {
      const places = Object.entries(read).map(([place, units]) => `${place} ${units}`)
      const where = places.length > 1 ? ` (${places.join(', ')})` : ''
      return `Total: ${requests} request${requests === 1 ? '' : 's'}, ${total} read unit${total === 1 ? '' : 's'}${where}.`
    })
    expect(explained).toEqual(consumed)
  })

  it('explains each traversal with an upper bound on its units', () => {
    for (const { explained, requests, consumed } of example.asked.filter(({ code }) => isTraversal(code))) {
      const [, most, units] = /^Total: .* and at most (\d+), .* and at most (\d+)\.$/m.exec(explained)!
      expect([Number(most) >= requests, Number(units) >= consumed.total]).toEqual([true, true])
    }
  })

  it('prints every access pattern and has no others', () => {
    expect(example.asked.map(({ what }) => what)).toEqual(Object.keys(EXPECTED[name]!))
    for (const { what, code, explained } of example.asked)
      for (const part of [what, code, explained]) expect(printed).toContain(part)
  })

  // `vitest -u` updates the recorded output.
  it('prints the recorded output', async () => {
    await expect(printed).toMatchFileSnapshot(`printed/${name}.txt`)
  })

  // `vitest -u` updates the declaration, the tables and the patterns in the page.
  it('has a page with its current declaration, tables and patterns', async () => {
    const page = new URL(`${name}/README.md`, EXAMPLES)
    const shown = { declaration: declarationOf(name), printed, asked: example.asked }
    const written = writtenReadme(readFileSync(page, 'utf8'), shown)
    await expect(written).toMatchFileSnapshot(fileURLToPath(page))
  })
})

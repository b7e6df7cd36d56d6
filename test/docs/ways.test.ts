import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { proveLayout } from '../../src/layout/proof/layout-proof.js'
import type { Shown } from './costs.js'
import { Examples } from './examples.js'
import { programOf, shownPage } from './page.js'
import { WAYS } from './ways.js'

const FOLDER = new URL('../../docs/ways/', import.meta.url)
const COSTS = /(?<=^## What it costs\n)(?:\|.*\n)*/m

const pages = Object.keys(WAYS).map(way => ({ way, text: readFileSync(new URL(`${way}.md`, FOLDER), 'utf8') }))
const examples = new Examples()

for (const { way, text } of pages) examples.add(way, programOf({ name: way, text }))
afterAll(() => examples.remove())

describe('the pages of access methods', () => {
  it('exist for each access method and are listed in the index', () => {
    const files = readdirSync(FOLDER).filter(name => name !== 'README.md')
    expect(files.sort()).toEqual(pages.map(({ way }) => `${way}.md`).sort())
    const linked = readFileSync(new URL('README.md', FOLDER), 'utf8').matchAll(/\]\((\w+\.md)\)/g)
    expect([...new Set(Array.from(linked, ([, name]) => name))].sort()).toEqual(files)
  })

  it('have examples that compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(examples.compilerOutput()).toBe('')
  })

  // `vitest -u` writes what is printed and measured into the page.
  it.each(pages)('show what their examples print and cost: $way', async ({ way, text }) => {
    const { exported, printed } = await examples.run<Shown>(way)
    expect(proveLayout(exported.made)).toEqual([])
    const costs = await Promise.all(
      WAYS[way]!.map(async ([label, measure]) => {
        const { requests, units } = await measure(exported)
        return `| ${label} | ${requests} | ${units} |\n`
      }),
    )
    const table = `| | requests | units |\n|-|-|-|\n${costs.join('')}`
    const shown = shownPage({ name: way, text }, printed).replace(COSTS, () => table)
    await expect(shown).toMatchFileSnapshot(fileURLToPath(new URL(`${way}.md`, FOLDER)))
  })
})

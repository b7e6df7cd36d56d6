import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { CODES } from '../../src/schema/codes.js'
import { adviceOf, withCodes } from './codes.js'
import { Examples } from './examples.js'
import { type Page, programOf, shownPage, strayBlocks } from './page.js'

const FOLDER = new URL('../../docs/', import.meta.url)

const pages = readdirSync(FOLDER)
  .filter(file => file.endsWith('.md'))
  .map((file): Page => ({ name: file.slice(0, -3), text: readFileSync(new URL(file, FOLDER), 'utf8') }))
const programs = pages.filter(page => programOf(page) !== '')
const examples = new Examples()

for (const page of programs) examples.add(page.name, programOf(page))
afterAll(() => examples.remove())

describe('the pages of the calls', () => {
  it('are all named by the index of the documents', () => {
    const linked = pages.find(({ name }) => name === 'README')!.text.matchAll(/\]\(([\w-]+)\.md\)/g)
    const expected = pages.map(({ name }) => name).filter(name => name !== 'README')
    expect([...new Set(Array.from(linked, ([, name]) => name))].sort()).toEqual(expected.sort())
  })

  it('have no code that is not run', () => {
    expect(pages.flatMap(strayBlocks)).toEqual([])
  })

  it('say of every code of an error what to do', () => {
    const advice = adviceOf(pages.find(({ name }) => name === 'errors')!.text)
    expect([...advice.keys()]).toEqual(Object.keys(CODES))
    expect([...advice].filter(([, words]) => words.trim() === '')).toEqual([])
  })

  it('compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(examples.compilerOutput()).toBe('')
  })

  // `vitest -u` writes what is printed into the page.
  it.each(programs)('show what their code prints: $name', async page => {
    const { printed } = await examples.run(page.name)
    const path = fileURLToPath(new URL(`${page.name}.md`, FOLDER))
    const shown = shownPage(page, printed)
    await expect(page.name === 'errors' ? withCodes(shown) : shown).toMatchFileSnapshot(path)
  })
})

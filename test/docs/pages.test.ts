import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { CODES } from '../../src/schema/codes.js'
import { adviceOf, withCodes } from './codes.js'
import { Examples } from './examples.js'
import { withFaults } from './faults.js'
import { withLimits } from './limits.js'
import { type Page, programOf, shownPage, strayBlocks } from './page.js'

const FOLDER = new URL('../../docs/', import.meta.url)

/** Folders of pages, each with an index that names them all. */
const FOLDERS = ['', 'operations/']

const pages = FOLDERS.flatMap(folder =>
  readdirSync(new URL(folder, FOLDER))
    .filter(file => file.endsWith('.md'))
    .map((file): Page => {
      const name = `${folder}${file.slice(0, -3)}`
      return { name, text: readFileSync(new URL(`${name}.md`, FOLDER), 'utf8') }
    }),
)
const programs = pages.filter(page => programOf(page) !== '')
const examples = new Examples()
/** Pages with generated text in addition to the output of their code. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  errors: withCodes,
  limits: withLimits,
  'operations/recovery': withFaults,
}

for (const page of programs) examples.add(page.name, programOf(page))
afterAll(() => examples.remove())

describe('the pages of the documents', () => {
  it.each(FOLDERS)('the index of a folder names all its pages: docs/%s', folder => {
    const inFolder = pages.filter(({ name }) => name.replace(/[^/]+$/, '') === folder)
    const index = inFolder.find(({ name }) => name === `${folder}README`)!
    const linked = index.text.matchAll(/\]\(([\w-]+)\.md\)/g)
    const expected = inFolder.filter(page => page !== index).map(({ name }) => name.slice(folder.length))
    expect([...new Set(Array.from(linked, ([, name]) => name))].sort()).toEqual(expected.sort())
  })

  it('contain only code that runs', () => {
    expect(pages.flatMap(strayBlocks)).toEqual([])
  })

  it('give a cause and a fix for every error code', () => {
    const advice = adviceOf(pages.find(({ name }) => name === 'errors')!.text)
    expect([...advice.keys()]).toEqual(Object.keys(CODES))
    expect([...advice].filter(([, { cause }]) => cause.trim() === '')).toEqual([])
    expect([...advice].filter(([, { fix }]) => fix.trim() === '')).toEqual([])
  })

  it('compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(examples.compilerOutput()).toBe('')
  })

  // `vitest -u` writes what is printed into the page.
  it.each(programs)('show what their code prints: $name', async page => {
    const { printed } = await examples.run(page.name)
    const path = fileURLToPath(new URL(`${page.name}.md`, FOLDER))
    const shown = shownPage(page, printed)
    await expect(WRITTEN[page.name]?.(shown) ?? shown).toMatchFileSnapshot(path)
  })
})

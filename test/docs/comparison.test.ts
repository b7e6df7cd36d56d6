import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const PAGE = new URL('../../docs/comparison.md', import.meta.url)
const text = readFileSync(PAGE, 'utf8')

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())

/** The rows of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const section = text.slice(text.indexOf(`## ${heading}\n`))
  const lines = /^\|(?:.*\n)+?(?!\|)/m.exec(section)![0].trimEnd().split('\n')
  return lines.slice(2).map(cellsOf)
}

const linkIn = (cell: string) => /\]\(([^)]+)\)/.exec(cell)?.[1]

describe.each(['Libraries', 'Engines'])('the comparison of %s', heading => {
  const rows = tableUnder(heading)

  it('has one cell for each column in every row', () => {
    expect(rows.length).toBeGreaterThan(8)
    expect(new Set(rows.map(row => row.length)).size).toBe(1)
  })

  it('names an existing test for each feature of edgewise', () => {
    const claims = rows.map(([, ours]) => ours!).filter(ours => ours !== '–')
    const tests = claims.map(linkIn)
    expect(tests.filter(path => !path || !/\/test\/.*\.test\.ts$/.test(path))).toEqual([])
    expect(tests.filter(path => !existsSync(new URL(path!, PAGE)))).toEqual([])
  })

  it('links each feature of another project to its documentation', () => {
    const theirs = rows.flatMap(([, , ...cells]) => cells).filter(cell => cell !== '–')
    expect(theirs.filter(cell => !linkIn(cell)?.startsWith('https://'))).toEqual([])
  })
})

it('the comparison states its date', () => {
  expect(text).toMatch(/As of [A-Z][a-z]+ 20\d\d\./)
})

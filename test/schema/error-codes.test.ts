import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CODES } from '../../src/schema/codes.js'

const SOURCE = new URL('../../src/', import.meta.url)

const TABLE = 'schema/codes.ts'
// `new GraphError('code'`, or a function of a room that makes one: `keyError('code'`.
const THROWN = /\w+Error\(\s*'([a-z]+(?:\.[a-zA-Z]+)+)'/g

const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
const texts = paths
  .filter(path => path.endsWith('.ts') && path !== TABLE)
  .map(path => readFileSync(new URL(path, SOURCE), 'utf8'))

it('the table of codes has every code that is thrown', () => {
  const thrown = new Set(texts.flatMap(text => [...text.matchAll(THROWN)].map(match => match[1]!)))
  expect([...thrown].filter(code => !(code in CODES))).toEqual([])
})

it('the table of codes has no code that is not in use', () => {
  expect(Object.keys(CODES).filter(code => !texts.some(text => text.includes(`'${code}'`)))).toEqual([])
})

it('every code says what it means', () => {
  expect(Object.values(CODES).filter(meaning => meaning.split(' ').length < 4)).toEqual([])
})

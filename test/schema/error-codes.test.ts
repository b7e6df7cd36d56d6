import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CODES } from '../../src/schema/codes.js'

const SOURCE = new URL('../../src/', import.meta.url)

const TABLE = 'schema/codes.ts'
// Matches `new GraphError('code'`, or a function that makes an error: `createTemplateError('key.value'`.
const THROWN = /\w+Error\(\s*'([a-z]+(?:\.[a-zA-Z]+)+)'/g

const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
const texts = paths
  .filter(path => path.endsWith('.ts') && path !== TABLE)
  .map(path => readFileSync(new URL(path, SOURCE), 'utf8'))

it('every thrown code is in the table of codes', () => {
  const thrown = new Set(texts.flatMap(text => [...text.matchAll(THROWN)].map(match => match[1]!)))
  expect([...thrown].filter(code => !(code in CODES))).toEqual([])
})

it('every code of the table is thrown somewhere', () => {
  expect(Object.keys(CODES).filter(code => !texts.some(text => text.includes(`'${code}'`)))).toEqual([])
})

it('every code has a description', () => {
  expect(Object.values(CODES).filter(meaning => meaning.split(' ').length < 4)).toEqual([])
})

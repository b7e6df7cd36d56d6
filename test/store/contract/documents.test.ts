import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { caseName, contract } from '../../../src/store/contract/index.js'
import { OPERATIONS } from '../../../src/store/operations.js'

const names = new Set(contract.map(caseName))
const quoted = new RegExp(`'((?:${Object.keys(OPERATIONS).join('|')}): [^']+)'`, 'g')

it('has the cases that the documents skip', () => {
  const page = readFileSync(new URL('../../../docs/engine.md', import.meta.url), 'utf8')
  const skipped = Array.from(page.matchAll(quoted), ([, name]) => name!)
  expect(skipped).not.toEqual([])
  expect(skipped.filter(name => !names.has(name))).toEqual([])
})

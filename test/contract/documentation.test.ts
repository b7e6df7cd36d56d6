import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { caseName, contract } from '../../src/contract/index.js'
import { OPERATION_TRAITS } from '../../src/store/operation-traits.js'

const names = new Set(contract.map(caseName))
const quoted = new RegExp(`'((?:${Object.keys(OPERATION_TRAITS).join('|')}): [^']+)'`, 'g')

it('the contract has the cases that the documents skip', () => {
  const page = readFileSync(new URL('../../docs/engine.md', import.meta.url), 'utf8')
  const skipped = Array.from(page.matchAll(quoted), ([, name]) => name!)
  expect(skipped).not.toEqual([])
  expect(skipped.filter(name => !names.has(name))).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('clients in other languages run every operation of the engine', () => {
  const files = readdirSync(new URL('src/engine/operations/', root)).filter(file => !file.includes('.validation.'))
  const suite = readFileSync(new URL('test/clients/operations.py', root), 'utf8')
  const operations = files.map(file => file.replace('.ts', '').replaceAll('-', '_'))
  expect(operations.length).toBeGreaterThan(30)
  expect(operations.filter(operation => !suite.includes(`"${operation}"`))).toEqual([])
})

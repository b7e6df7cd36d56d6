import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('clients in other languages run every operation of the engine', () => {
  const files = readdirSync(new URL('src/engine/operations/', root), { encoding: 'utf8', recursive: true })
  const operations = files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.validation.ts'))
    .map(file => basename(file, '.ts').replaceAll('-', '_'))
  const suite = readFileSync(new URL('test/clients/operations.py', root), 'utf8')
  expect(operations.length).toBeGreaterThan(30)
  expect(operations.filter(operation => !suite.includes(`"${operation}"`))).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { listTables } from '../../../src/engine/operations/tables/list-tables.js'
import { emptyEngine, request } from '../tables.js'

function engineWith(...names: string[]) {
  const engine = emptyEngine()
  for (const TableName of names) createTable(engine, request({ TableName }))
  return engine
}

test('ListTables without tables returns an empty list', () => {
  expect(listTables(emptyEngine(), {})).toStrictEqual({ TableNames: [] })
})

test('ListTables returns names in byte order', () => {
  expect(listTables(engineWith('bbb', 'aaa', 'BBB', '_aa', 'a.a'), {})).toStrictEqual({
    TableNames: ['BBB', '_aa', 'a.a', 'aaa', 'bbb'],
  })
})

test('a page of ListTables has a last name only if more names follow', () => {
  const engine = engineWith('aaa', 'bbb', 'ccc')
  expect(listTables(engine, { Limit: 2 })).toStrictEqual({ TableNames: ['aaa', 'bbb'], LastEvaluatedTableName: 'bbb' })
  expect(listTables(engine, { Limit: 2, ExclusiveStartTableName: 'bbb' })).toStrictEqual({ TableNames: ['ccc'] })
  expect(listTables(engine, { Limit: 3 })).toStrictEqual({ TableNames: ['aaa', 'bbb', 'ccc'] })
})

test('ListTables continues after a name that does not exist', () => {
  expect(listTables(engineWith('aaa', 'ccc'), { ExclusiveStartTableName: 'bbb' })).toStrictEqual({
    TableNames: ['ccc'],
  })
})

test('a page of ListTables has at most a hundred names', () => {
  const names = Array.from({ length: 101 }, (_, at) => `table${String(at).padStart(3, '0')}`)
  expect(listTables(engineWith(...names), {})).toStrictEqual({
    TableNames: names.slice(0, 100),
    LastEvaluatedTableName: 'table099',
  })
})

test('pages of any size visit every table once', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{3,6}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (names, Limit) => {
      const engine = engineWith(...names)
      const visited: string[] = []
      let after: string | undefined
      do {
        const page = listTables(engine, { Limit, ExclusiveStartTableName: after })
        visited.push(...page.TableNames!)
        after = page.LastEvaluatedTableName
      } while (after !== undefined)
      expect(visited).toEqual(names.toSorted())
    }),
  )
})

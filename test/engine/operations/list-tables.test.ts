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

test('without tables the list is empty', () => {
  expect(listTables(emptyEngine(), {})).toStrictEqual({ TableNames: [] })
})

test('names are in the order of their bytes', () => {
  expect(listTables(engineWith('bbb', 'aaa', 'BBB', '_aa', 'a.a'), {})).toStrictEqual({
    TableNames: ['BBB', '_aa', 'a.a', 'aaa', 'bbb'],
  })
})

test('a page says where it ended only while more is left', () => {
  const engine = engineWith('aaa', 'bbb', 'ccc')
  expect(listTables(engine, { Limit: 2 })).toStrictEqual({ TableNames: ['aaa', 'bbb'], LastEvaluatedTableName: 'bbb' })
  expect(listTables(engine, { Limit: 2, ExclusiveStartTableName: 'bbb' })).toStrictEqual({ TableNames: ['ccc'] })
  expect(listTables(engine, { Limit: 3 })).toStrictEqual({ TableNames: ['aaa', 'bbb', 'ccc'] })
})

test('a start that is no table serves as well', () => {
  expect(listTables(engineWith('aaa', 'ccc'), { ExclusiveStartTableName: 'bbb' })).toStrictEqual({
    TableNames: ['ccc'],
  })
})

test('a page has at most a hundred names', () => {
  const names = Array.from({ length: 101 }, (_, at) => `table${String(at).padStart(3, '0')}`)
  expect(listTables(engineWith(...names), {})).toStrictEqual({
    TableNames: names.slice(0, 100),
    LastEvaluatedTableName: 'table099',
  })
})

test('pages visit every table once, whatever their size', () => {
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

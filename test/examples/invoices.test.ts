import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'edgewise'
import { expect, it } from 'vitest'
import { billing } from '../../examples/invoices/graph.js'
import { commands, endpoint, folderWith } from '../cli/cinema-folder.js'

const FOLDER = fileURLToPath(new URL('../../examples/invoices/', import.meta.url))
const { run } = await commands()

it('the invoices example loads its CSV files and answers its three queries', { timeout: 60_000 }, async () => {
  const { url, store } = await endpoint()
  const g = await open(billing, store)
  const names = ['graph.ts', ...readdirSync(`${FOLDER}data`).map(name => `data/${name}`)]
  const [schema, ...data] = names.map(name => readFileSync(FOLDER + name, 'utf8'))
  // The folder also has the built package, which the schema imports.
  const at = folderWith({
    'graph.ts': schema!,
    ...Object.fromEntries(data.map((text, i) => [basename(names[i + 1]!), text])),
  })
  const files = names.slice(1).map(name => at(basename(name)))
  const { output, errors, code } = await run(['load', at('graph.ts'), ...files, '--endpoint', url])
  expect({ errors, code }).toEqual({ errors: '', code: 0 })
  expect(output).toMatch(/^Loaded 10 rows/)

  const { Table } = await store.describeTable({ TableName: 'InvoiceAndBills' })
  const units = { ReadCapacityUnits: 100, WriteCapacityUnits: 100 }
  expect(Table).toMatchObject({
    ProvisionedThroughput: units,
    KeySchema: [{ AttributeName: 'PK' }, { AttributeName: 'SK' }],
    GlobalSecondaryIndexes: [
      { IndexName: 'GSI_1', KeySchema: [{ AttributeName: 'SK', KeyType: 'HASH' }], ProvisionedThroughput: units },
    ],
  })

  const queries = [
    g.invoice.collect('506', { customer: g.billedTo.by.invoice, bills: g.contains.by.invoice }),
    g.billedTo.by.customer('1317').all(),
    g.bill.collect('3392', { invoices: g.contains.by.bill }),
  ]
  const reports = await Promise.all(queries.map(query => query.run()))
  expect(reports.map(({ requests }) => requests)).toEqual([1, 1, 1])
  expect(reports.map(({ value }) => value)).toMatchObject([
    {
      node: { balance: 700 },
      customer: [{ customer: '1317' }],
      bills: [
        { bill: '3392', part: 600 },
        { bill: '4224', part: 100 },
      ],
    },
    [{ invoice: '1721' }, { invoice: '506' }],
    { node: { amount: 900 }, invoices: [{ invoice: '1721' }, { invoice: '506' }] },
  ])
})

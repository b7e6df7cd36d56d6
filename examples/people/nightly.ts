/** `npm run example -- nightly`: jobs over an export. They need the package @duckdb/node-api. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'edgewise'
import { type BatchData, openBatch, pageRank, runJob, validate } from 'edgewise/batch'
import { memory } from 'edgewise/engine'
import { repair } from 'edgewise/jobs'
import { showSteps } from '../print.js'
import { exportTable } from './export-table.js'
import { people } from './graph.js'
import { rows } from './rows.js'

export const ranking = pageRank({ edge: 'knows', node: 'person', into: 'rank' })

const exports = mkdtempSync(join(tmpdir(), 'people-'))
const store = memory({ exports })
const g = await open(people, store)
await g.$batch(rows.person.map(each => g.person.put(each)))
await g.$batch(rows.knows.map(each => g.knows.put(each)))

const night = await openBatch(people, { from: await exportTable(store, exports) })

/** Exports the table, and reads this export. */
async function overExport<T>(work: (data: BatchData) => Promise<T>): Promise<T> {
  const data = await openBatch(people, { from: await exportTable(store, exports) })
  return work(data).finally(() => data.close())
}

/** A change of the item of John, as a program without edgewise makes it: the item for his old name stays. */
async function renameWithoutEdgewise(): Promise<string> {
  await store.updateItem({
    TableName: 'people',
    Key: { PK: { S: 'person#p2' }, SK: { S: '#' } },
    UpdateExpression: 'SET #name = :name',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':name': { S: 'Jack' } },
  })
  return (await g.person.get('p2'))!.name
}

export const steps = await showSteps({
  title: 'A nightly ranking of people, and a nightly validation, over exports',
  graph: g,
  steps: {
    'How many people live in each country, in SQL': () =>
      night.rows('SELECT country, count(*) AS people FROM person GROUP BY ALL ORDER BY ALL'),
    'What a ranking of all people costs': () => runJob(g, night, ranking, { dryRun: true }),
    'Rank all people': () => runJob(g, night, ranking, { writeUnits: 100 }),
    'A second run with the same export writes nothing': () => runJob(g, night, ranking),
    'The best known people, by one Query': () => g.person.by.rank().reverse().limit(2).all(),
    'A validation of the next export finds nothing': () => overExport(data => validate(data, { live: g })),
    'A program without edgewise changes a name': () => renameWithoutEdgewise(),
    'The next validation finds the damage': () => overExport(data => validate(data, { live: g })),
    'A repair corrects it': () => repair(g),
    'The next validation finds nothing': () => overExport(data => validate(data, { live: g })),
  },
  items: async () => {
    const { Items = [] } = await store.scan({
      TableName: 'people',
      IndexName: 'person_rank',
      ProjectionExpression: 'PK, SK, #type, #name, #rank',
      ExpressionAttributeNames: { '#type': '_type', '#name': 'name', '#rank': 'rank' },
    })
    return Items
  },
})

night.close()
rmSync(exports, { recursive: true })

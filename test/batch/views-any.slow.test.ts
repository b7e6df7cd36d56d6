import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openBatch } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { textOf } from '../graph/model/reference/identity.js'
import { Commands } from '../graph/model/runner/commands.js'
import { ModelClock, opened, tenantOf } from '../graph/model/runner/handles.js'
import { Machine } from '../graph/model/runner/machine.js'
import { settling } from '../graph/model/runner/run-consumer.js'
import { anySchema, anyStreamedSchema, type Schema } from '../graph/model/schemas/random-schemas.js'
import { runs } from '../graph/model/suite.js'
import { exportTable } from './export-files.js'
import { graphRow } from './view-rows.js'

const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 40, size: 'max' })

it.each([
  ['by its writers', anySchema],
  ['by the stream', anyStreamedSchema],
])('rows of the views equal the rows of scans in any graph that is kept %s', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-views-'))
    try {
      const store = memory()
      const clock = new ModelClock()
      const handles = await opened(schema, store, clock, seeds[0]!)
      const machine = new Machine(schema, store, handles)
      machine.settle = await settling(machine, ~seeds[0]!)
      const commands = new Commands(schema.graph.declared)
      for (const seed of seeds) {
        const command = commands.of(seed)
        if (/write|transact|batch/.test(command.does)) await machine.perform(command)
      }
      const { layout } = machine
      await exportTable(store, layout.design.name, folder, new Date(clock.now()).toISOString())
      await using data = await openBatch(layout, { from: folder, threads: 1 })
      for (const view of data.views) {
        const rows = await data.rows(`SELECT * FROM "${view.name}"`)
        const tenant = tenantOf(schema)
        const own = rows.filter(row => tenant === undefined || row.tenant === tenant)
        const expected = await handles[view.kind.type.name]!.scan().all()
        const texts = (all: readonly unknown[]) => all.map(textOf).sort()
        expect(texts(own.map(row => graphRow(view, row)))).toEqual(texts(expected as unknown[]))
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds, holds), { numRuns: runs(15) })
})

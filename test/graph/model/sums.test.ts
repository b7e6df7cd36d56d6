import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { Commands } from './runner/commands.js'
import { Crowded } from './runner/random-values.js'
import { anyLedgerSchema } from './schemas/sums.js'
import { equalsModel, runs } from './suite.js'

it('nodes with sums and no counts are deleted and re-created like plain rows, also when the sums are 0', async () => {
  await equalsModel(
    memory,
    40,
    runs(30),
    anyLedgerSchema,
    ({ graph, layout }) => new Commands(graph.declared, 0.1, layout, Crowded),
  )
})

import fc from 'fast-check'
import { it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import type { Store } from '../../src/store/port.js'
import { wrap } from '../../src/store/wrap.js'
import { Commands } from '../graph/model/commands.js'
import { ModelClock, OTHER_TENANT, opened } from '../graph/model/handles.js'
import { Machine } from '../graph/model/machine.js'
import { anySchema, type Schema } from '../graph/model/schemas.js'
import { localClient } from './local.js'

async function go(schema: Schema, seeds: number[], base: Store) {
  const log: string[] = []
  const store = wrap(base, async (operation, request, options, send) => {
    const token = (request as any).ClientRequestToken
    try {
      const a = await send(request, options)
      if (token) log.push(`${token} ok ${JSON.stringify((request as any).TransactItems).slice(0, 3000)}`)
      return a
    } catch (e) {
      if (token) log.push(`${token} ${(e as any).name} ${JSON.stringify((e as any).CancellationReasons)} ${JSON.stringify((request as any).TransactItems).slice(0, 3000)}`)
      throw e
    }
  })
  const machine = new Machine(schema, store, await opened(schema, store, new ModelClock(), seeds[0]!))
  if (schema.graph.tenant) await machine.shareWith(await opened(schema, store, new ModelClock(), 1, OTHER_TENANT))
  const commands = new Commands(schema.graph.declared)
  try { for (const s of seeds) await machine.perform(commands.of(s)) } catch (e) { log.push('FAILED ' + (e as Error).message.slice(0, 200)) }
  console.log(log.join('\n'))
}
it('x', async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' }), async (schema, seeds) => {
      if (seeds.length !== 3 || seeds[0] !== 1) throw new Error('again')
      await go(schema, seeds, memory())
      await go(schema, seeds, localClient())
    }),
    { seed: 6, path: '91:4:3:3:3:2:4:3:3:3:4:4:4:4:4:4:4:4:4:4:4:4:4:4:4:4:4:10:9', endOnFailure: true },
  )
})

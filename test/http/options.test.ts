import { expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { graph, node, open, string } from '../../src/index.js'

it('serve() accepts only a store', async () => {
  const opened = await open(graph('things', [node('thing', { id: string() }, { id: 'id' })]), memory())
  for (const wrong of [undefined, 8000, opened])
    await expect(serve(wrong as never, { port: 0 })).rejects.toThrow('serve(): the first argument is not a store')
  await expect(serve(memory(), 8123 as never)).rejects.toThrow('serve(store, { port: 8000 })')
})

it('a port is a number, or a string from the environment', async () => {
  for (const wrong of ['here', -1, 65_536, 1.5])
    await expect(serve(memory(), { port: wrong as never })).rejects.toThrow(
      `port: '${wrong}' is not a port; give a whole number`,
    )
  const serving = await serve(memory(), { port: '0' as never })
  expect(serving.port).toBeGreaterThan(0)
  await serving.close()
})

it('limits are validated: NaN would accept any body and abort requests in progress', async () => {
  for (const name of ['bodyBytes', 'requestMs', 'idleMs', 'stopMs'] as const)
    for (const wrong of [Number.NaN, -1])
      await expect(serve(memory(), { port: 0, [name]: wrong })).rejects.toThrow(RangeError)
  await expect(serve(memory(), { port: 0, stopMs: 2 ** 31 })).rejects.toThrow(
    'stopMs: 2147483648 is out of range; give a number from 0 to 2147483647.',
  )
})

it('an unknown option is rejected, and undefined counts as absent', async () => {
  await expect(serve(memory(), { port: 0, prot: 1 } as never)).rejects.toThrow(
    "serve(): there is no option 'prot'; use only port, host, ",
  )
  const tls = { key: 'k', cert: 'c', passphrase: 'p' }
  await expect(serve(memory(), { port: 0, tls } as never)).rejects.toThrow("tls: there is no option 'passphrase'")
  await expect(serve(memory(), null as never)).rejects.toThrow('serve(store, { port: 8000 })')
  const serving = await serve(memory(), { port: 0, host: undefined, tls: undefined, credentials: undefined })
  await serving.close()
})

it('credentials are nonempty strings: missing or partial credentials are rejected instead of accepting empty signatures', async () => {
  const half = { accessKeyId: 'key', secretAccessKey: undefined }
  for (const wrong of [null, false, 'key', ['key'], [null], [{}], [half], [{ ...half, secretAccessKey: '' }]])
    await expect(serve(memory(), { port: 0, credentials: wrong as never })).rejects.toThrow(
      'give a list of { accessKeyId, secretAccessKey }',
    )
})

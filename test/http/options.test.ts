import { expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { graph, node, open, string } from '../../src/index.js'

it('a store is served, and nothing else', async () => {
  const opened = await open(graph('things', [node('thing', { id: string() }, { id: 'id' })]), memory())
  for (const wrong of [undefined, 8000, opened])
    await expect(serve(wrong as never, { port: 0 })).rejects.toThrow('serve(): the first argument is not a store')
  await expect(serve(memory(), 8123 as never)).rejects.toThrow('serve(store, { port: 8000 })')
})

it('a port is a number, or one as the environment has it', async () => {
  for (const wrong of ['here', -1, 65_536, 1.5])
    await expect(serve(memory(), { port: wrong as never })).rejects.toThrow(
      `port: '${wrong}' is not a port; give a whole number`,
    )
  const serving = await serve(memory(), { port: '0' as never })
  expect(serving.port).toBeGreaterThan(0)
  await serving.close()
})

it('its bounds are bounds: what is no number would let any body in, and cut off what is under way', async () => {
  for (const name of ['bodyBytes', 'requestMs', 'idleMs', 'stopMs'] as const)
    for (const wrong of [Number.NaN, -1])
      await expect(serve(memory(), { port: 0, [name]: wrong })).rejects.toThrow(RangeError)
  await expect(serve(memory(), { port: 0, stopMs: 2 ** 31 })).rejects.toThrow(
    'stopMs: 2147483648 is out of range; give a number from 0 to 2147483647.',
  )
})

it('an option that there is not is refused, and what is undefined is as not given', async () => {
  await expect(serve(memory(), { port: 0, prot: 1 } as never)).rejects.toThrow(
    "serve(): there is no option 'prot', only port, host, ",
  )
  const tls = { key: 'k', cert: 'c', passphrase: 'p' }
  await expect(serve(memory(), { port: 0, tls } as never)).rejects.toThrow("tls: there is no option 'passphrase'")
  await expect(serve(memory(), null as never)).rejects.toThrow('serve(store, { port: 8000 })')
  const serving = await serve(memory(), { port: 0, host: undefined, tls: undefined, credentials: undefined })
  await serving.close()
})

it('credentials are texts: without them, or with half of them, nothing is served to whoever signs by nothing', async () => {
  const half = { accessKeyId: 'key', secretAccessKey: undefined }
  for (const wrong of [null, false, 'key', ['key'], [null], [{}], [half], [{ ...half, secretAccessKey: '' }]])
    await expect(serve(memory(), { port: 0, credentials: wrong as never })).rejects.toThrow(
      'give a list of { accessKeyId, secretAccessKey }',
    )
})

import { expect, it } from 'vitest'
import { mistakes } from '../../graph/types/compile-errors.js'

it('the compile errors of custom keys match their recorded text', async () => {
  const words = await mistakes(new URL('compile-errors.test-d.ts', import.meta.url))
  await expect(words).toMatchFileSnapshot('compile-errors.txt')
}, 60_000)

import { expect, it } from 'vitest'
import { mistakes } from '../../graph/types/compile-errors.js'

it('the compiler says of each mistake in given keys what is wrong, in words kept here', async () => {
  const words = await mistakes(new URL('compile-errors.test-d.ts', import.meta.url))
  await expect(words).toMatchFileSnapshot('compile-errors.txt')
}, 60_000)

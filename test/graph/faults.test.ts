import { expect, it } from 'vitest'
import { mistakes } from './mistakes.js'

it('the compiler says of each mistake what is wrong, in words kept here', async () => {
  const words = await mistakes(new URL('faults.test-d.ts', import.meta.url))
  await expect(words).toMatchFileSnapshot('faults.txt')
}, 60_000)

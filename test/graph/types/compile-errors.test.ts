import { expect, it } from 'vitest'
import { mistakes } from './compile-errors.js'

it('the compiler reports every mistake in the recorded words', async () => {
  const words = await mistakes(new URL('compile-errors.test-d.ts', import.meta.url))
  await expect(words).toMatchFileSnapshot('compile-errors.txt')
}, 60_000)

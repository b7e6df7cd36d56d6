import { afterAll, describe, expect, it } from 'vitest'
import { Examples } from './examples.js'
import { examplesIn, tsdocExamples } from './tsdoc.js'

/** Examples that need another service, or that write files where the tests run, are only compiled. */
const NEEDS_SERVICE = /from 'edgewise\/aws'|\bdisk\(/

const found = tsdocExamples()
const examples = new Examples()
for (const { name, code } of found) examples.add(name, code)
afterAll(() => examples.remove())

describe('the examples in documentation comments', () => {
  it('examples are found in every comment with several examples, and without the asterisks', () => {
    const text = [
      '/** Opens. */',
      '/**',
      ' * Closes.',
      ' *',
      ' * @example',
      ' * ```ts',
      ' * close()',
      ' * ```',
      ' *',
      ' * @example By a deadline',
      ' * ```ts',
      ' * if (late) {',
      ' *   close()',
      ' * }',
      ' * ```',
      ' */',
    ].join('\n')
    expect(examplesIn('graph/close.ts', text)).toEqual([
      { name: 'graph/close-5', code: 'close()\n' },
      { name: 'graph/close-10', code: 'if (late) {\n  close()\n}\n' },
    ])
  })

  it('examples are blocks of TypeScript', () => {
    expect(found.filter(({ code }) => code === '')).toEqual([])
    expect(examplesIn('a.ts', '/**\n * @example\n * close()\n */')).toEqual([{ name: 'a-2', code: '' }])
  })

  it('compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(examples.compilerOutput()).toBe('')
  })

  it.each(found.filter(({ code }) => !NEEDS_SERVICE.test(code)))('run: $name', async ({ name }) => {
    await examples.run(name)
  })
})

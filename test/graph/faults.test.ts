import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { complaints } from './compiler.js'

const EXPECTED = /^\s*\/\/ @ts-expect-error (.*)$/

it('the compiler says of each mistake what is wrong, in words kept here', async () => {
  const source = await readFile(new URL('faults.test-d.ts', import.meta.url), 'utf8')
  const lines = source.split('\n')
  const found = await complaints(source.replaceAll('@ts-expect-error', ''))
  const mistakes = lines.flatMap((line, at) => {
    const mistake = EXPECTED.exec(line)?.[1]
    return mistake ? [{ mistake, line: at + 2 }] : []
  })
  const words = mistakes.map(({ mistake, line }) => {
    const said = found.filter(complaint => complaint.line === line).map(complaint => complaint.words)
    return `${mistake}\n  ${lines[line - 1]!.trim()}\n${said.join('\n')}\n`
  })
  await expect(words.join('\n')).toMatchFileSnapshot('faults.txt')
}, 60_000)
